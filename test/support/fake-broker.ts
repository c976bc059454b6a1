import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Published {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
}

/** An MQTT 3.1.1 broker that tests can make fail. No client can subscribe to its messages. */
export interface FakeBroker {
  readonly port: number;
  /** Messages that arrived, acknowledged or not. */
  readonly published: Published[];
  /** Number of connections that clients have opened so far. */
  readonly connections: number;
  /** Whether the broker acknowledges messages. */
  acknowledges: boolean;
  /** The return code for a new connection; 0 accepts the connection. */
  connectCode: number;
  /** Bytes that the broker sends to every packet in place of MQTT; undefined for a sound broker. */
  babble: string | undefined;
  /** Number of messages with QoS 2 that clients have said to have received. */
  readonly received: number;
  /** Sends bytes over all connections. */
  write(bytes: Buffer): void;
  /** Breaks off all connections. */
  drop(): void;
  close(): Promise<void>;
}

/** Starts a broker on 127.0.0.1. @param port 0 for any free port */
export async function startFakeBroker(port = 0): Promise<FakeBroker> {
  const published: Published[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let received = 0;

  function response(socket: Socket, first: number, body: Buffer): void {
    const kind = first >> 4;
    if (broker.babble !== undefined) return void socket.write(broker.babble);
    if (kind === 1) socket.write(Buffer.from([0x20, 2, 0, broker.connectCode]));
    if (kind === 5) received++;
    if (kind === 12) socket.write(Buffer.from([0xd0, 0]));
    if (kind === 14) socket.end();
    if (kind !== 3) return;
    const end = 2 + body.readUInt16BE(0);
    const [topic, payload] = [body.subarray(2, end), body.subarray(end + 2)].map(String);
    published.push({ topic: topic ?? '', payload: payload ?? '', retain: (first & 1) === 1 });
    const id = body.subarray(end, end + 2);
    if (broker.acknowledges) socket.write(Buffer.concat([Buffer.from([0x40, 2]), id]));
  }

  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let left = Buffer.alloc(0);
    socket.on('data', (data) => {
      left = Buffer.concat([left, data]);
      for (let packet = cutPacket(left); packet; packet = cutPacket(left)) {
        response(socket, left[0] ?? 0, packet.body);
        left = left.subarray(packet.length);
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const broker: FakeBroker = {
    port: (server.address() as AddressInfo).port,
    published,
    get connections() {
      return connections;
    },
    get received() {
      return received;
    },
    write(bytes) {
      for (const socket of sockets) socket.write(bytes);
    },
    acknowledges: true,
    connectCode: 0,
    babble: undefined,
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      server.close();
      broker.drop();
      await once(server, 'close');
    },
  };
  return broker;
}

/** The first MQTT packet in received bytes; undefined if the packet is not complete yet. */
function cutPacket(bytes: Buffer): { readonly body: Buffer; readonly length: number } | undefined {
  let size = 0;
  for (let i = 1; i < 5; i++) {
    const digit = bytes[i];
    if (digit === undefined) return undefined;
    size += (digit & 0x7f) << (7 * (i - 1));
    const start = i + 1;
    if (digit >= 0x80) continue;
    if (bytes.length < start + size) return undefined;
    return { body: bytes.subarray(start, start + size), length: start + size };
  }
  return undefined;
}
