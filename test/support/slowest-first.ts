import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Folders of tests that start processes or wait, and so take longer than tests of the same size.
 */
const SLOW = ['/test/e2e/', '/test/completions/', '/test/server/', '/test/commands/archive/'];

/** Runs the slowest test files first, so that no worker ends long before the others. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = SLOW.findIndex((folder) => moduleId.includes(folder));
      return found === -1 ? SLOW.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
