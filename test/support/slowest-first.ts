import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files that take longest, the slowest first, as measured. */
const SLOWEST = [
  'installed.slow',
  'statistics/sql.slow',
  'regularExpressions.slow',
  'e2e/systems.slow',
  'documents/blocks',
  'server/pageMap',
  'e2e/mqtt',
  'service/http/transport',
  'e2e/watch',
  'e2e/bin',
  'e2e/serve',
  'figures/crosshair',
  'commands/check/check',
  'commands/stats/from',
  'e2e/stats',
  'figures/writers',
  'server/plot',
];

/**
 * Runs the slowest test files first, so that no worker ends long before the others. Those that the
 * list lacks follow by their time in the run before, or else by their size.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = SLOWEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return found === -1 ? SLOWEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
