import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type IClientOptions } from 'mqtt';
import { findPort, untilItListens } from './nginx.ts';
import { until } from './until.ts';

/** On Debian mosquitto is in /usr/sbin, which is not in the PATH of users. */
const ENV = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

export const USER = 'wind';
/** A password with characters that an address has to encode. */
export const PASSWORD = 'a/s3cret@%';

/** Why tests with mosquitto cannot run here; undefined where they can. */
export function whyNoMosquitto(): string | undefined {
  for (const [program, argument] of [
    ['mosquitto', '-h'],
    ['openssl', 'version'],
  ] as const) {
    try {
      execFileSync(program, [argument], { stdio: 'ignore', env: ENV });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return `${program} is not installed`;
    }
  }
  return undefined;
}

export interface Message {
  readonly topic: string;
  readonly payload: string;
  /**
   * Whether the broker sent the message because it had retained it from before the subscription.
   */
  readonly isKept: boolean;
}

/**
 * Starts mosquitto, a broker that here wants a password, and that forgets retained messages when it
 * stops.
 */
export interface Mosquitto {
  readonly port: number;
  readonly tlsPort: number;
  /** Path of the broker's certificate, which is self-signed. */
  readonly certificate: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Collects all messages from now on, also after restarts of the broker. */
  subscribe(): Promise<{ readonly messages: Message[]; end(): Promise<void> }>;
  /** The messages that the broker retains now, by topic. */
  retained(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export async function startMosquitto(): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'vane-mosquitto-'));
  const [port, tlsPort] = [await findPort(), await findPort()];
  const [conf, passwords, certificate, key] = ['conf', 'passwords', 'cert.pem', 'key.pem'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string];
  const run = (program: string, args: readonly string[]): void =>
    void execFileSync(program, args, { stdio: 'ignore', env: ENV });
  run('mosquitto_passwd', ['-c', '-b', passwords, USER, PASSWORD]);
  const names = 'subjectAltName=IP:127.0.0.1';
  // An RSA key would take half a second.
  const key256 = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const request = ['req', '-x509', ...key256, '-nodes', '-subj', '/CN=vane test'];
  run('openssl', [...request, '-addext', names, '-keyout', key, '-out', certificate]);
  writeFileSync(
    conf,
    `user root
persistence false
allow_anonymous false
password_file ${passwords}
listener ${port} 127.0.0.1
listener ${tlsPort} 127.0.0.1
certfile ${certificate}
keyfile ${key}
`,
  );
  let stop = async (): Promise<void> => {};

  async function start(): Promise<void> {
    const errors: string[] = [];
    const child = spawn('mosquitto', ['-c', conf], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: ENV,
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    const closed = once(child, 'close');
    stop = async () => {
      // Mosquitto forgets a SIGTERM that comes while it starts, although it listens already.
      const again = setInterval(() => child.kill('SIGTERM'), 100);
      child.kill('SIGTERM');
      await closed;
      clearInterval(again);
    };
    await untilItListens(tlsPort, () => child.exitCode === null, errors);
  }

  async function subscribe() {
    const messages: Message[] = [];
    const options: IClientOptions = { username: USER, password: PASSWORD, reconnectPeriod: 20 };
    const client = connect(`mqtt://127.0.0.1:${port}`, options);
    client.on('message', (topic, payload, { retain }) => {
      messages.push({ topic, payload: String(payload), isKept: retain });
    });
    await client.subscribeAsync('#', { qos: 1 });
    return { messages, end: () => client.endAsync(true) };
  }

  await start();
  return {
    ...{ port, tlsPort, certificate, start, subscribe },
    stop: () => stop(),
    async retained() {
      const { messages, end } = await subscribe();
      const client = connect(`mqtt://127.0.0.1:${port}`, { username: USER, password: PASSWORD });
      // Wait until this message comes back: every retained message comes before it.
      await client.publishAsync('end', '', { qos: 1 });
      await until(() => messages.some(({ topic }) => topic === 'end'));
      await Promise.all([end(), client.endAsync()]);
      const kept = messages.filter(({ isKept }) => isKept);
      return Object.fromEntries(kept.map(({ topic, payload }) => [topic, payload]));
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
