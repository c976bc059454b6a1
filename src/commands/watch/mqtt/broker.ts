import type { IClientOptions, MqttClient } from 'mqtt';
import { formatCount } from '../../../domain/text.ts';
import { UnavailableError } from '../../../errors.ts';
import type { Io } from '../../../io.ts';
import type { Reporter } from '../../../output/reporter.ts';
import { explainFailure } from '../../../service/http/failure.ts';
import type { MqttTarget } from './address.ts';

interface Message {
  readonly topic: string;
  readonly payload: string;
  /** Whether the broker keeps the message for later subscribers. */
  readonly retain: boolean;
}

/** Pause before the next attempt to connect. */
const RECONNECT_MS = 5000;
const CONNECT_MS = 30_000;
/** A broker that acknowledges nothing for this long is treated as disconnected. */
const ACKNOWLEDGE_MS = 60_000;
/** Maximum size of a packet from the broker; vane only expects packets of a few bytes. */
const MAX_PACKET_BYTES = 1024 * 1024;
const MAX_FINISH_MS = 10_000;

/** A connection to an MQTT broker that reconnects whenever it is lost. */
export interface BrokerConnection {
  /** Publishes the new value of a topic as a retained message. */
  retain(topic: string, payload: string): void;
  /** Publishes an event, which is not retained. */
  send(topic: string, payload: string): void;
  /**
   * Waits up to 10 s until the broker has acknowledged all messages, then disconnects.
   * @throws UnavailableError if some messages were not acknowledged
   */
  finish(): Promise<void>;
}

/**
 * Publishes to a broker with QoS 1. While the broker is away, the newest retained message of each
 * topic and the newest event of each station are queued. After a reconnect, all retained messages
 * are sent again, since the broker may have lost them.
 */
export function openBrokerConnection(
  target: MqttTarget,
  io: Io,
  { note, detail }: Reporter,
): BrokerConnection {
  const name = `the MQTT broker ${target.host}:${target.port}`;
  const availability = { topic: `${target.prefix}/availability`, retain: true };
  const retained = new Map<string, Message>();
  /** Messages that the broker has not acknowledged yet, in the order of sending. */
  const waiting = new Set<Message>();
  let current: MqttClient | undefined;
  /** The client of the current connection; undefined while there is none. */
  let connected: MqttClient | undefined;
  /** Since when the broker has owed an acknowledgement, milliseconds since 1970. */
  let silentSinceMs: number | undefined;
  let isAwayNoted = false;
  let isOver = false;
  let onDelivered = (): void => {};
  const over = new AbortController();

  const options: IClientOptions = {
    protocol: target.isTls ? 'mqtts' : 'mqtt',
    host: target.host,
    port: target.port,
    ...(target.user !== undefined && { username: target.user }),
    // Pass the password as a Buffer: with DEBUG set, packages of the client would print a string.
    ...(target.password !== undefined && { password: Buffer.from(target.password) }),
    clientId: `vane_${Math.floor(io.random() * 2 ** 48).toString(36)}`,
    will: { ...availability, payload: Buffer.from('offline'), qos: 1 },
    connectTimeout: CONNECT_MS,
    // Turn off the client's own reconnecting, which would send old messages first.
    reconnectPeriod: 0,
    log: () => {},
  };

  function send(message: Message, client: MqttClient): void {
    const { topic, payload, retain } = message;
    silentSinceMs ??= io.now();
    client.publish(topic, payload, { qos: 1, retain }, (error) => {
      if (error || client !== connected) return;
      waiting.delete(message);
      silentSinceMs = waiting.size > 0 ? io.now() : undefined;
      if (waiting.size > 0) return;
      if (isAwayNoted) note(`Connected to ${name} again.`);
      isAwayNoted = false;
      onDelivered();
    });
  }

  function put(message: Message): void {
    const { topic, payload, retain } = message;
    const before = retained.get(topic);
    if (before?.payload === payload) return;
    if (before) waiting.delete(before);
    if (retain) retained.set(topic, message);
    else if (!connected) for (const old of waiting) if (old.topic === topic) waiting.delete(old);
    waiting.add(message);
    if (!connected) return;
    if (io.now() - (silentSinceMs ?? io.now()) > ACKNOWLEDGE_MS) connected.end(true);
    else send(message, connected);
  }

  /** Connects once. Resolves with the reason when the connection ends. */
  function connectOnce(connect: (options: IClientOptions) => MqttClient): Promise<Error> {
    return new Promise((resolve) => {
      let reason = new Error('the connection was lost');
      const client = connect({ ...options });
      current = client;
      client.on('error', (error) => {
        reason = error;
        // Close the connection after a protocol error: the client itself would keep it open.
        client.end(true);
      });
      // Measure incoming messages. vane subscribes to none, but a broker may send some, and the
      // client drops a message only once it is complete.
      let unread = 0;
      client.stream.on('data', ({ length }: Buffer) => {
        unread += length;
        if (unread <= MAX_PACKET_BYTES) return;
        client.emit('error', new Error('it sent a message of over 1 MiB'));
      });
      client.on('packetreceive', () => {
        unread = 0;
      });
      client.on('connect', () => {
        detail(`Connected to ${name}.`);
        connected = client;
        const events = [...waiting].filter((message) => !message.retain);
        waiting.clear();
        for (const message of [...retained.values(), ...events]) {
          waiting.add(message);
          send(message, client);
        }
      });
      client.on('close', () => {
        connected = undefined;
        silentSinceMs = undefined;
        client.end(true);
        resolve(reason);
      });
    });
  }

  async function keepConnected(): Promise<void> {
    const { connect, Store } = await import('mqtt');
    // Do not store incoming messages of QoS 2: the client would keep them until the broker releases
    // them.
    options.incomingStore = new (class extends Store {
      override put(_packet: unknown, done?: () => void): this {
        done?.();
        return this;
      }
    })();
    while (!isOver) {
      const cause = explain(await connectOnce(connect));
      if (isOver) return;
      const sentence = `No connection to ${name}: ${cause}.`;
      if (isAwayNoted) detail(sentence);
      else note(`${sentence} vane will send the newest state when it is back.`);
      isAwayNoted = true;
      await io.sleep(RECONNECT_MS, over.signal).catch(() => {});
    }
  }

  put({ ...availability, payload: 'online' });
  const done = keepConnected();

  return {
    retain: (topic: string, payload: string): void => put({ topic, payload, retain: true }),
    send: (topic: string, payload: string): void => put({ topic, payload, retain: false }),
    async finish(): Promise<void> {
      put({ ...availability, payload: 'offline' });
      const delivered = new Promise<void>((resolve) => {
        onDelivered = resolve;
      });
      const timeout = io.sleep(MAX_FINISH_MS, over.signal).catch(() => {});
      const seconds = MAX_FINISH_MS / 1000;
      if (!connected && isAwayNoted) note(`Waiting for ${name}, up to ${seconds} s.`);
      await Promise.race([delivered, timeout]);
      const left = waiting.size;
      isOver = true;
      // If messages are left, close without DISCONNECT, so that the broker publishes the last will.
      await Promise.race([connected?.endAsync(left > 0), timeout]);
      over.abort();
      current?.stream.destroy();
      await done;
      if (left > 0)
        throw new UnavailableError(`${formatCount(left, 'message')} did not reach ${name}.`);
    },
  };
}

/** Describes why the connection to the broker failed, as the end of a sentence. */
function explain(error: Error): string {
  const { message } = explainFailure(error);
  if (message === 'connack timeout') return `it did not respond within ${CONNECT_MS / 1000} s`;
  if (message === 'Keepalive timeout') return 'it stopped responding';
  if (/^Invalid|: undefined$/.test(message)) return 'its response is not MQTT';
  return message.replace(/^Connection refused: (.*)/, 'it responded with “$1”');
}
