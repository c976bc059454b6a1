import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  copyFile,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutputError } from '../../src/errors.ts';
import { openRotatingFile, type RotatingFile } from '../../src/output/rotatingFile.ts';
import { fakeIo } from '../support/fake-io.ts';
import { naming } from '../support/naming.ts';

let folder: string;
let path: string;
let file: RotatingFile;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-'));
  path = join(folder, 'wind.csv');
  file = openRotatingFile(path, fakeIo());
});
afterEach(async () => {
  await file.close();
  await rm(folder, { recursive: true, force: true });
});

const head = () => 'head\n';
const write = (text: string): Promise<void> => file.write(text, head);
const content = (name = path): Promise<string> => readFile(name, 'utf8');

describe('a rotating file', () => {
  it('the first write makes a rotating file with its header line, and later writes append', async () => {
    expect(existsSync(path)).toBe(false);
    await write('');
    expect(existsSync(path)).toBe(false);
    await write('1\n');
    await write('2\n3\n');
    expect(await content()).toBe('head\n1\n2\n3\n');
    await file.close();
    file = openRotatingFile(path, fakeIo());
    await write('4\n');
    expect(await content()).toBe('head\n1\n2\n3\n4\n');
  });

  it('a rotating file that is opened again exists at once, and gets its header line with the first text', async () => {
    await write('1\n');
    await rename(path, `${path}.1`);
    await file.reopen();
    expect(await content()).toBe('');
    await write('2\n');
    expect([await content(`${path}.1`), await content()]).toEqual(['head\n1\n', 'head\n2\n']);
    await rm(folder, { recursive: true });
    const reopened = file.reopen();
    await expect(reopened).rejects.toThrow(OutputError);
    await expect(reopened).rejects.toThrow(naming(path, 'folder', 'not exist'));
  });

  it('a rotating file gets one header line from concurrent writes', async () => {
    await Promise.all(['1\n', '2\n', '3\n'].map(write));
    expect(await content()).toBe('head\n1\n2\n3\n');
  });

  it('a rotating file with an empty header line begins with the text', async () => {
    await file.write('1\n', () => '');
    expect(await content()).toBe('1\n');
  });

  it('a rotating file continues on a new line after a line that was cut', async () => {
    await writeFile(path, 'head\n1,é');
    await write('2\n');
    expect(await content()).toBe('head\n1,é\n2\n');
    await appendFile(path, 'cut');
    await write('3\n');
    expect(await content()).toBe('head\n1,é\n2\ncut\n3\n');
  });

  it('a rotating file that is renamed during a write continues on a new line after a line that was cut', async () => {
    file = openRotatingFile(path, fakeIo(), async (...place) => {
      const handle = await open(...place);
      const whole = handle.stat.bind(handle);
      // Another program acts while this one looks at the open file.
      const stat = async (...options: []) => {
        const stats = await whole(...options);
        if (options.length === 0 && !existsSync(`${path}.1`)) {
          await rename(path, `${path}.1`);
          await writeFile(path, 'another\n\n');
        }
        return stats;
      };
      return Object.assign(handle, { stat });
    });
    await writeFile(path, 'head\n1\ncut');
    await write('2\n');
    expect(await content(`${path}.1`)).toBe('head\n1\ncut\n2\n');
  });

  it('a rotating file is appended to even without read permission', async () => {
    await writeFile(path, '1\n');
    await chmod(path, 0o200);
    await write('2\n');
    await chmod(path, 0o600);
    expect(await content()).toBe('1\n2\n');
  });

  it('a rotating file can be closed twice and opens again at the next write', async () => {
    await write('1\n');
    await file.close();
    await file.close();
    await write('2\n');
    expect(await content()).toBe('head\n1\n2\n');
  });

  it('a rotating file may be appended to by two processes', async () => {
    const other = openRotatingFile(path, fakeIo());
    try {
      for (let i = 0; i < 20; i += 1) {
        await Promise.all([write(`a${i}\n`), other.write(`b${i}\n`, head)]);
      }
    } finally {
      await other.close();
    }
    // Both writers may have found the file empty.
    const lines = (await content()).split('\n').filter((line) => line !== 'head');
    const all = Array.from({ length: 20 }, (_, i) => [`a${i}`, `b${i}`]).flat();
    expect(lines.sort()).toEqual([...all, ''].sort());
  });
});

describe('a rotating file with a row', () => {
  beforeEach(() => write('1\n'));

  it('a rotating file that was renamed is made again at its path', async () => {
    await rename(path, `${path}.1`);
    await write('2\n');
    expect(await content(`${path}.1`)).toBe('head\n1\n');
    expect(await content()).toBe('head\n2\n');
  });

  it('a rotating file goes on in the new file that another program put at its path after renaming the old one', async () => {
    await rename(path, `${path}.1`);
    await writeFile(path, '');
    await write('2\n');
    await write('3\n');
    expect(await content(`${path}.1`)).toBe('head\n1\n');
    expect(await content()).toBe('head\n2\n3\n');
  });

  it('a rotating file that was truncated gets its header line again', async () => {
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await write('2\n');
    expect(await content(`${path}.1`)).toBe('head\n1\n');
    expect(await content()).toBe('head\n2\n');
  });

  it('a rotating file that was deleted is made again', async () => {
    await rm(path);
    await write('2\n');
    expect(await content()).toBe('head\n2\n');
  });

  it('a rotating file may be a link, even to a missing file', async () => {
    await rename(path, `${path}.1`);
    await symlink('real.csv', path);
    await write('2\n');
    expect(await content(join(folder, 'real.csv'))).toBe('head\n2\n');
    await rename(join(folder, 'real.csv'), join(folder, 'old.csv'));
    await write('3\n');
    expect(await content(join(folder, 'real.csv'))).toBe('head\n3\n');
    expect(await readlink(path)).toBe('real.csv');
  });

  it.skipIf(process.geteuid?.() !== 0)(
    'a rotating file is not written when another user put a link in its place, in a folder that others may write',
    async () => {
      const STRANGER = 54_321;
      await rename(path, `${path}.1`);
      await symlink('victim', path);
      await lchown(path, STRANGER, STRANGER);
      await chmod(folder, 0o777);
      await expect(write('2\n')).rejects.toThrow(/is a link of another user/);
      expect(existsSync(join(folder, 'victim'))).toBe(false);
      await chmod(folder, 0o755);
      await write('2\n');
      expect(await content(join(folder, 'victim'))).toBe('head\n2\n');
    },
  );
});

describe('tail -F', () => {
  const hasTail = spawnSync('tail', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU');

  it.skipIf(!hasTail)(
    'tail -F reads every line of a rotating file through rotations (needs GNU tail)',
    async () => {
      await write('1\n');
      const tail: ChildProcess = spawn('tail', ['-F', '-n', '+1', '-s', '0.05', path], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let read = '';
      tail.stdout?.setEncoding('utf8').on('data', (text: string) => {
        read += text;
      });
      const hasRead = (text: string) =>
        vi.waitFor(() => expect(read).toBe(text), { timeout: 20_000, interval: 10 });
      try {
        await hasRead('head\n1\n');
        await write('2\n');
        await hasRead('head\n1\n2\n');
        await rename(path, `${path}.1`);
        await write('3\n');
        await hasRead('head\n1\n2\nhead\n3\n');
        await rm(path);
        await write('4\n');
        await hasRead('head\n1\n2\nhead\n3\nhead\n4\n');
      } finally {
        tail.kill();
      }
    },
  );
});

describe('a failed write', () => {
  it('a failed write to a rotating file throws the cause, and the next write is tried again', async () => {
    await write('1\n');
    await rm(folder, { recursive: true });
    const failed = write('2\n');
    await expect(failed).rejects.toThrow(OutputError);
    await expect(failed).rejects.toThrow(naming(path, 'folder', 'not exist', 'latest lines'));
    expect(existsSync(folder)).toBe(false);
    await mkdir(folder);
    await write('3\n');
    expect(await content()).toBe('head\n3\n');
  });

  it('a write to a folder in place of a rotating file throws that the path is a folder', async () => {
    await mkdir(path);
    const failed = write('1\n');
    await expect(failed).rejects.toThrow(OutputError);
    await expect(failed).rejects.toThrow(naming(path, 'a folder'));
  });

  const noFull = existsSync('/dev/full') ? '' : ' (skipped: there is no /dev/full)';
  it.skipIf(noFull)(
    `a write of a rotating file to a full disk throws that the disk is full${noFull}`,
    async () => {
      file = openRotatingFile('/dev/full', fakeIo());
      for (const text of ['1\n', '2\n']) {
        const failed = write(text);
        await expect(failed).rejects.toThrow(OutputError);
        await expect(failed).rejects.toThrow(naming('/dev/full', 'disk is full', 'latest lines'));
      }
    },
  );

  describe('on a disk that fills up', () => {
    /** The file on a disk that has room for the first write, and then for 3 bytes of the second. */
    function openOnFullDisk(meanwhile = async () => {}): void {
      let call = 0;
      file = openRotatingFile(path, fakeIo(), async (...place) => {
        const handle = await open(...place);
        const whole = handle.write.bind(handle);
        const write = async (bytes: Buffer, offset: number) => {
          call++;
          if (call === 2) return whole(bytes, 0, 3);
          if (call !== 3) return whole(bytes, offset);
          await meanwhile();
          throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        };
        return Object.assign(handle, { write });
      });
    }

    it('a write of a rotating file that fills the disk leaves no part of a line', async () => {
      openOnFullDisk();
      await write('1\n');
      await expect(write('22222\n')).rejects.toThrow(naming('disk is full', 'not written'));
      expect(await content()).toBe('head\n1\n');
      await write('3\n');
      expect(await content()).toBe('head\n1\n3\n');
    });

    it('a write of a rotating file that fills the disk is not undone where another program has written since', async () => {
      openOnFullDisk(() => appendFile(path, 'theirs'));
      await write('1\n');
      await expect(write('22222\n')).rejects.toThrow(naming('disk is full', 'may be in it'));
      await write('3\n');
      expect(await content()).toBe('head\n1\n222theirs\n3\n');
    });

    it('a write of a rotating file that fills the disk is undone in the open file, not in a new file at its path', async () => {
      openOnFullDisk(async () => {
        await rename(path, `${path}.1`);
        await writeFile(path, 'another file\n');
      });
      await write('1\n');
      await expect(write('22222\n')).rejects.toThrow(OutputError);
      expect(await content(`${path}.1`)).toBe('head\n1\n');
      expect(await content()).toBe('another file\n');
    });
  });
});

describe('a rotating file that is a device or a fifo', () => {
  it.skipIf(!existsSync('/dev/null'))(
    'a rotating file may be /dev/null, which gets one header line (needs /dev/null)',
    async () => {
      const heads = vi.fn(head);
      file = openRotatingFile('/dev/null', fakeIo());
      await file.write('1\n', heads);
      await file.write('2\n', heads);
      expect(heads).toHaveBeenCalledOnce();
    },
  );

  const hasFifo = spawnSync('mkfifo', ['--version']).status === 0;
  it.skipIf(!hasFifo)(
    'a rotating file may be a fifo with a reader, which gets one header line (needs mkfifo)',
    async () => {
      execFileSync('mkfifo', [path]);
      // Without a reader it is refused at once, so that nothing waits for one.
      await expect(write('0\n')).rejects.toThrow('no program reads from it');
      const read = content();
      while (
        await write('1\n').then(
          () => false,
          () => true,
        )
      )
        await new Promise(setImmediate);
      await write('2\n');
      await file.close();
      expect(await read).toBe('head\n1\n2\n');
    },
  );
});
