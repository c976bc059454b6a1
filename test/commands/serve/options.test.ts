import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/cli.ts';
import type { ServeOptions } from '../../../src/commands/serve/options.ts';
import type { Io } from '../../../src/io.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { naming } from '../../support/naming.ts';
import { words } from '../../support/question.ts';

/** The options that a command line sets. */
async function optionsOf(line: string, env: Io['env'] = {}): Promise<ServeOptions> {
  let options: unknown;
  const perform = async (made: unknown): Promise<void> => {
    options = made;
  };
  const program = await createProgram(fakeIo({ env }), perform, ['serve']);
  await program.parseAsync(words(line), { from: 'user' });
  return options as ServeOptions;
}

const UPSTREAM = 'serve --upstream http://127.0.0.1:9';

describe('the options of vane serve', () => {
  it('vane serve does not use VANE_BASE_URL, since --upstream names the service', async () => {
    const env = { VANE_BASE_URL: 'ftp://x' };
    expect(await optionsOf(UPSTREAM, env)).toEqual(await optionsOf(UPSTREAM));
  });

  it('vane serve without --stale, --upstream-concurrency and --memory uses 24 hours, 4 requests and 256 MB', async () => {
    expect((await optionsOf(UPSTREAM)).upstream).toMatchObject({
      isWarm: false,
      staleMs: 86_400_000,
      concurrency: 4,
      maxResponseBytes: 256_000_000,
    });
  });

  it('vane serve reads the values of --warm, --stale, --upstream-concurrency, --memory, --timeout and --refresh', async () => {
    const line = `${UPSTREAM} --warm --stale 1h --upstream-concurrency 2 --memory 1MB --timeout 5s --refresh`;
    expect((await optionsOf(line)).upstream).toMatchObject({
      connection: { baseUrl: 'http://127.0.0.1:9', timeoutMs: 5000, cache: 'refresh' },
      isWarm: true,
      staleMs: 3_600_000,
      concurrency: 2,
      maxResponseBytes: 1_000_000,
    });
  });

  it.each([
    ...['--warm', '--stale 1h', '--stale junk', '--upstream-concurrency 4', '--memory 1GiB'],
    ...['--timeout 30s', '--retries 3', '--no-cache', '--refresh'],
  ])(
    'vane serve --demo with %s is refused, and the error says that the option is for --upstream',
    async (option) => {
      const [flag] = option.split(' ');
      await expect(optionsOf(`serve --demo ${option}`)).rejects.toThrow(
        naming(flag ?? '', '--upstream', '--demo'),
      );
    },
  );

  it.each([
    ['--timeout junk', ['--timeout', '“junk”']],
    ['--retries 99', ['--retries', 20, '“99”']],
  ])('vane serve --demo with %s is refused, and the error names %j', async (option, names) => {
    await expect(optionsOf(`serve --demo ${option}`)).rejects.toThrow(naming(...names));
  });

  it('vane serve --demo also refuses an option for --upstream before the name of the command', async () => {
    await expect(optionsOf('--retries 3 serve --demo')).rejects.toThrow(
      naming('--retries', '--upstream', '--demo'),
    );
  });

  it('vane serve --demo accepts the options of messages, such as -q and --no-color', async () => {
    const options = await optionsOf('serve --demo --no-color -q');
    expect(options).toMatchObject({ upstream: undefined, isQuiet: true });
  });

  const TILES = 'https://tiles.example:8443/{z}/{x}/{y}{r}.png?key=1';

  it('vane serve uses the tiles of --tiles with the words of --tiles-attribution, and without both no tiles', async () => {
    const options = await optionsOf(`serve --demo --tiles ${TILES} --tiles-attribution Mappers`);
    expect(options.tiles).toEqual({ template: TILES, attribution: 'Mappers' });
    expect((await optionsOf('serve --demo')).tiles).toBeUndefined();
  });

  it.each([
    [`--tiles ${TILES}`, ['--tiles ', '--tiles-attribution']],
    ['--tiles-attribution Mappers', ['--tiles ', '--tiles-attribution']],
    ...[
      'https://tiles.example/{z}/{x}.png',
      'https://{s}.tiles.example/{z}/{x}/{y}.png',
      'https://tiles.example/{z}/{x}/{y}.png?{key}',
      'https://tiles.example;script-src/{z}/{x}/{y}',
      'https://tiles.example:99999/{z}/{x}/{y}',
      'ftp://tiles.example/{z}/{x}/{y}',
      '/{z}/{x}/{y}.png',
    ].map((template) => [`--tiles ${template} --tiles-attribution Mappers`, ['--tiles', template]]),
  ])('vane serve with %s is refused, and the error names %j', async (options, names) => {
    await expect(optionsOf(`serve --demo ${options}`)).rejects.toThrow(naming(...names));
  });
});
