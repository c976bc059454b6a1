import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files start processes or wait, and so take longer than others of their size. */
const SLOW = ['/test/e2e/', '/test/completions/', '/test/server/', '/test/commands/archive/'];

/** Runs files that take long first, so that no worker ends long before the others. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = SLOW.findIndex((folder) => moduleId.includes(folder));
      return found === -1 ? SLOW.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
