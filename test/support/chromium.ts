import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Why tests in a real browser cannot run here; undefined where they can. */
export function whyNoChromium(): string | undefined {
  try {
    execFileSync('chromium', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'chromium is not installed';
  }
}

export interface Tab {
  /** Evaluates an expression in the page, and waits for its value if that is a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /**
   * Waits until an expression in the page is true.
   * @throws with the page's text if that does not happen in time
   */
  until(expression: string): Promise<void>;
  /** Presses a key and releases it: `Enter`, `+`. */
  press(key: string): Promise<void>;
  /**
   * Moves the mouse over these places with its button down; px from the upper left corner of the
   * window.
   */
  drag(...places: readonly (readonly [x: number, y: number])[]): Promise<void>;
  /** Moves the mouse to a place, px from the upper left corner of the window. */
  point(at: readonly [x: number, y: number]): Promise<void>;
  /** Turns the mouse wheel at a place, px from the upper left corner of the window. */
  wheel(at: readonly [x: number, y: number], down: number): Promise<void>;
  /** Puts fingers at these places, moves them there, or takes all away; px as those of the mouse. */
  touch(
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    ...places: readonly (readonly [x: number, y: number])[]
  ): Promise<void>;
  /** Gives the window another size, px; one under 500 px wide is that of a phone. */
  resize(window: Window): Promise<void>;
  /** Sets the colour scheme that pages see: light or dark. */
  prefer(scheme: 'light' | 'dark'): Promise<void>;
  /** A picture of the window as PNG. */
  screenshot(): Promise<Buffer>;
  /** Brings the tab to the front, before tabs that were opened later. */
  show(): Promise<void>;
  /** Sends a command of Chromium's protocol, such as `Page.navigate`. */
  send(method: string, params?: object): Promise<unknown>;
  /**
   * What the page has reported so far: console messages, exceptions, policy violations and failed
   * loads.
   */
  readonly reports: readonly string[];
}

/** The size of a window, px. */
export type Window = Readonly<{ width: number; height: number }>;

export interface Browser {
  open(url: string, window?: Window): Promise<Tab>;
  close(): Promise<void>;
}

const MAX_WAIT_MS = 15_000;

/** Starts a headless browser with a temporary profile. */
export async function openBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'vane-chromium-'));
  const child = spawn('chromium', browserFlags(folder), {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
  });
  const devTools = connectDevTools(child);
  return {
    open: (url, window) => openTab(devTools, url, window),
    async close() {
      const closed = once(child, 'close');
      await Promise.race([devTools.send('Browser.close').catch(() => {}), sleep(1000)]);
      const killer = setTimeout(() => child.kill('SIGKILL'), 2000);
      if (child.exitCode === null && child.signalCode === null) await closed;
      clearTimeout(killer);
      // Remove the profile with retries: child processes of the browser may still be writing to it.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

function browserFlags(folder: string): string[] {
  return [
    '--headless=new',
    // Root, the usual user of containers, cannot run Chromium's sandbox.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-extensions',
    '--disable-sync',
    '--no-proxy-server',
    '--remote-debugging-pipe',
    `--user-data-dir=${folder}`,
    'about:blank',
  ];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages of the DevTools protocol differ by command
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: messages of the DevTools protocol differ by command
  readonly result?: any;
  readonly error?: { readonly message: string };
}

interface DevTools {
  // biome-ignore lint/suspicious/noExplicitAny: messages of the DevTools protocol differ by command
  send(method: string, params?: object, sessionId?: string): Promise<any>;
  /** Called with each event of a DevTools session. */
  listen(sessionId: string, listener: (message: Message) => void): void;
}

/** Speaks the DevTools protocol over a pipe: JSON documents, each ended by a zero byte. */
function connectDevTools(child: ChildProcess): DevTools {
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const listeners = new Map<string, (message: Message) => void>();
  let last = 0;
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const documents = (rest + chunk).split('\0');
    rest = documents.pop() ?? '';
    for (const document of documents) {
      const message: Message = JSON.parse(document);
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      else listeners.get(message.sessionId ?? '')?.(message);
    }
  });
  // Ignore write errors here: a command that cannot be written fails by its timeout.
  input.on('error', () => {});
  return {
    listen: (sessionId, listener) => void listeners.set(sessionId, listener),
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        const fail = (): void => reject(new Error(`chromium did not response ${method}`));
        const timer = setTimeout(fail, MAX_WAIT_MS);
        child.once('error', reject);
        waiting.set(id, ({ result, error }) => {
          clearTimeout(timer);
          waiting.delete(id);
          child.off('error', reject);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result);
        });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      }),
  };
}

const KEY_CODES: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ...{ End: 35, Home: 36, ArrowLeft: 37, ArrowRight: 39 },
  '+': 107,
};

async function openTab(
  devTools: DevTools,
  url: string,
  window: Window = { width: 1000, height: 800 },
): Promise<Tab> {
  const { targetId } = await devTools.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method: string, params?: object) => devTools.send(method, params, sessionId);
  const reports: string[] = [];
  devTools.listen(sessionId, (message) => {
    const report = readReport(message);
    if (report !== undefined) reports.push(report);
  });
  await Promise.all([send('Runtime.enable'), send('Log.enable'), send('Page.enable')]);
  const resize = async (size: Window): Promise<void> => {
    const screen = { ...size, deviceScaleFactor: 1, mobile: size.width < 500 };
    await send('Emulation.setDeviceMetricsOverride', screen);
    await send('Emulation.setTouchEmulationEnabled', { enabled: screen.mobile });
  };
  await resize(window);
  await send('Page.navigate', { url });
  const evaluate = async <T>(expression: string): Promise<T> => {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await send('Runtime.evaluate', options);
    if (exceptionDetails) throw new Error(describeException(exceptionDetails));
    return result.value;
  };
  const mouse = (type: string, [x, y]: readonly [number, number], more = {}) =>
    send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1, ...more });
  return {
    reports,
    evaluate,
    async resize(size) {
      await resize(size);
      await waitFor(`innerWidth === ${size.width}`, evaluate);
    },
    async press(key) {
      const text = key === 'Enter' ? '\r' : key.length === 1 ? key : '';
      const windowsVirtualKeyCode = KEY_CODES[key] ?? 0;
      for (const type of ['keyDown', 'keyUp']) {
        await send('Input.dispatchKeyEvent', { type, key, text, windowsVirtualKeyCode });
      }
    },
    async drag(...places) {
      for (const [index, place] of places.entries()) {
        if (index === 0) await mouse('mousePressed', place);
        else await mouse('mouseMoved', place, { buttons: 1 });
      }
      await mouse('mouseReleased', places.at(-1) as readonly [number, number]);
    },
    async point(at) {
      await mouse('mouseMoved', at, { button: 'none' });
    },
    async wheel(at, down) {
      await mouse('mouseWheel', at, { deltaX: 0, deltaY: down });
    },
    async touch(type, ...places) {
      const touchPoints = places.map(([x, y], id) => ({ x, y, id }));
      await send('Input.dispatchTouchEvent', { type, touchPoints });
    },
    async prefer(value) {
      const features = [{ name: 'prefers-color-scheme', value }];
      await send('Emulation.setEmulatedMedia', { features });
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data, 'base64');
    },
    until: (expression) => waitFor(expression, evaluate),
    show: () => send('Page.bringToFront'),
    send,
  };
}

async function waitFor(
  expression: string,
  evaluate: <T>(expression: string) => Promise<T>,
): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  // Try again after a failure: an expression cannot be evaluated while the page is being replaced.
  while (!(await evaluate(`Boolean(${expression})`).catch(() => false))) {
    if (Date.now() > deadline) {
      throw new Error(
        `never true: ${expression}; the page:\n${await evaluate('document.body.innerText')}`,
      );
    }
    await sleep(20);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: messages of the DevTools protocol differ by command
const describeException = ({ text, exception }: any): string =>
  `${text} ${exception?.description ?? exception?.value ?? ''}`;

function readReport({ method, params }: Message): string | undefined {
  switch (method) {
    case 'Runtime.exceptionThrown':
      return `exception: ${describeException(params.exceptionDetails)}`;
    case 'Runtime.consoleAPICalled':
      return `console.${params.type}: ${JSON.stringify(params.args.map((arg: { value: unknown }) => arg.value))}`;
    case 'Log.entryAdded':
      return `${params.entry.source}: ${params.entry.text} ${params.entry.url ?? ''}`;
    default:
      return undefined;
  }
}
