import fc from 'fast-check';

// Test files share their modules: what one of them has set is not for the next one to find.
fc.resetConfigureGlobal();
fc.configureGlobal({ seed: 20_240_115 });
