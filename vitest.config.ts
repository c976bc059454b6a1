import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { viteTextPlugin } from './.build/text.mjs';
import { SlowestFirst } from './test/support/slowest-first.ts';
import { TallyReporter } from './test/support/tally-reporter.ts';

export default defineConfig({
  plugins: [viteTextPlugin],
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', new TallyReporter()],
    // Many tests start a process; a loaded machine may take its time over that.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A third of the time tests wait: for processes, terminals and time limits.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // To load everything anew for each file takes a quarter of the time.
    isolate: false,
    // vi.resetModules() gives src/figures a new instance, which initializes its WebAssembly again.
    // Only an inlined package gets a new instance too, and allows it.
    server: { deps: { inline: ['@resvg/resvg-wasm'] } },
    sequence: { sequencer: SlowestFirst },
    setupFiles: ['test/support/setup.ts'],
    env: {
      // Not the configuration of the user who runs the tests.
      VANE_CONFIG: '/dev/null',
      // Node 20 takes 80 ms to read a file of certificates, in each process that a test starts.
      NODE_EXTRA_CA_CERTS: '',
    },
  },
});
