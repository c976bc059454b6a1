import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { createExecHook } from '../../src/output/hook.ts';
import { createPrinter } from '../../src/output/printer.ts';
import { fakeIo } from '../support/fake-io.ts';
import { naming } from '../support/naming.ts';

const WORD = { variables: { VANE_NAME: 'Col du Vent' }, input: '{}\n' };

interface SetUp {
  readonly isMinuteOver?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Gets the output; by default one that takes everything. */
  readonly stream?: Writable;
}

/** A hook whose minute never ends, unless the first output ends it. */
function setUp(command: string, { isMinuteOver = false, env = {}, stream }: SetUp = {}) {
  const heard = new EventTarget();
  const io = {
    ...fakeIo({ env: { ...env, PATH: process.env.PATH } }),
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        if (ms < 60_000) setTimeout(resolve, ms < 100 ? 5 : 200);
        else if (isMinuteOver) heard.addEventListener('output', () => resolve());
      }),
  };
  const troubles: string[] = [];
  let output = '';
  const collect = new Writable({
    write(text, _encoding, done) {
      output += text;
      heard.dispatchEvent(new Event('output'));
      done();
    },
  });
  const hook = createExecHook({
    command,
    io,
    printer: createPrinter(stream ?? collect),
    onTrouble: (sentence) => troubles.push(sentence),
  });
  return { hook, io, troubles, heard, output: () => output };
}

describe('an --exec hook', () => {
  it('a command of --exec runs in the shell with its variables and stdin', async () => {
    const { hook, troubles, output } = setUp('cat; echo "$VANE_NAME" | tr a-z A-Z');
    hook.run(WORD);
    await hook.settle();
    expect([output(), troubles]).toEqual(['{}\nCOL DU VENT\n', []]);
  });

  it('a command of --exec gets the environment of vane, but not the password of the MQTT broker', async () => {
    const env = { VANE_MQTT_PASSWORD: 'secret', VANE_TZ: 'local' };
    const { hook, output } = setUp('printf %s "$VANE_MQTT_PASSWORD $VANE_TZ"', { env });
    hook.run(WORD);
    await hook.settle();
    expect(output()).toBe(' local');
  });

  it('a command of --exec gets blanks for control characters, line separators and bidirectional marks in variables', async () => {
    const { hook, output } = setUp('printf "%s" "$VANE_NAME"');
    const name = 'a\r\nBcc: b\u0000c\u001bd\u007fe\u009bf\u2028g\u2029h\u202ei\u2066j';
    hook.run({ ...WORD, variables: { VANE_NAME: name } });
    await hook.settle();
    expect(output()).toBe('a  Bcc: b c d e f g h i j');
  });

  it('a command of --exec is started whatever the length of a variable, of which it gets the first 4096 characters', async () => {
    const { hook, troubles, output } = setUp('printf %s "$VANE_NAME$VANE_STATE" | wc -c');
    const long = 'x'.repeat(1_000_000);
    hook.run({ ...WORD, variables: { VANE_NAME: long, VANE_STATE: long } });
    await hook.settle();
    expect([Number(output()), troubles]).toEqual([2 * 4096, []]);
  });

  it('a command of --exec need not read its stdin', async () => {
    const { hook, troubles } = setUp('exec <&-; true');
    hook.run({ ...WORD, input: 'x'.repeat(1_000_000) });
    await hook.settle();
    expect(troubles).toEqual([]);
  });

  it.each([
    ['exit 3', ['--exec', 'code 3']],
    ['echo one; echo two >&2; exit 4', ['--exec', 'code 4']],
    ['kill -9 $$', ['--exec', 'SIGKILL']],
    ['no-such-command-at-all', ['--exec', 'code 127', 'not found']],
  ])(
    'a command of --exec that fails with “%s” is reported by a line that names %j',
    async (command, names) => {
      const { hook, troubles } = setUp(command);
      hook.run(WORD);
      await hook.settle();
      expect(troubles).toEqual([expect.stringMatching(naming(...names))]);
    },
  );

  it('a command of --exec is killed after a minute, together with all processes that it started', async () => {
    const { hook, troubles, output } = setUp('(sleep 600; echo late) & echo begun; wait', {
      isMinuteOver: true,
    });
    hook.run(WORD);
    await hook.settle();
    expect(troubles).toEqual([expect.stringMatching(naming('--exec', '60 s', 'begun'))]);
    expect(output()).toBe('begun\n');
  });

  it('a command of --exec may leave a process running in the background', async () => {
    const { hook, troubles } = setUp('sleep 5 & true');
    hook.run(WORD);
    await hook.settle();
    expect(troubles).toEqual([]);
  });

  it('a command of --exec is terminated together with vane, and no message is written', async () => {
    const { hook, io, troubles, heard } = setUp('echo begun; sleep 600');
    hook.run(WORD);
    await once(heard as never, 'output');
    io.interrupt(new InterruptedError('SIGINT'));
    await hook.settle();
    hook.run(WORD);
    await hook.settle();
    expect(troubles).toEqual([]);
  });

  it('a command of --exec is killed if it ignores SIGTERM when the watch ends', async () => {
    const { hook, troubles, heard } = setUp("trap '' TERM; echo begun; sleep 600; echo late");
    hook.run(WORD);
    await once(heard as never, 'output');
    hook.end();
    await hook.settle();
    expect(troubles).toEqual([]);
  });

  it('a command of --exec runs for each event while nobody reads the output of the commands', async () => {
    const stuck = new Writable({ decodeStrings: false, write: () => {} });
    stuck.write('x'.repeat(1_000_000));
    const { hook, troubles } = setUp('echo begun; exit 3', { stream: stuck });
    for (let event = 0; event < 9; event++) hook.run(WORD);
    await hook.settle();
    expect(troubles).toEqual(troubles.map(() => expect.stringMatching(naming('code 3', 'begun'))));
    expect(troubles).toHaveLength(9);
    // None of the output waits in memory.
    expect(stuck.writableLength).toBe(1_000_000);
  });

  it('a command of --exec that is started 12 times runs 12 times, at most eight at once', async () => {
    const { hook, output } = setUp('echo begin; sleep 0.05; echo end');
    for (let i = 0; i < 12; i++) hook.run(WORD);
    await hook.settle();
    let [running, most] = [0, 0];
    const words = output().trim().split('\n');
    for (const word of words) {
      running += word === 'begin' ? 1 : -1;
      most = Math.max(most, running);
    }
    expect([words.length, running]).toEqual([24, 0]);
    expect(most).toBeLessThanOrEqual(8);
  });
});
