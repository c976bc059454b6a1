import fc from 'fast-check';

// Test files share modules, so reset the configuration that an earlier file may have changed.
fc.resetConfigureGlobal();
fc.configureGlobal({ seed: 20_240_115 });
