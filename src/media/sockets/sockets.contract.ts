// What every adapter of sockets.ts must do. Run on each by its own test file.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WAKE_WORDS } from '../commands/wake.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';
import { IDLE, INCOMING, MAX_PACKET_BYTES, OUTGOING, type SocketOptions, type Sockets } from './sockets.ts';

const STEP_MS = 1;
const WITHIN_MS = 30_000;
const UNWANTED = Buffer.from('unwanted');

interface Arrived {
  readonly socket: number;
  readonly bytes: Buffer;
  readonly port: number;
}

export function socketsContract(name: string, open: (options: SocketOptions) => Promise<Sockets>): void {
  describe(`sockets by ${name}`, () => {
    let sockets: Sockets;
    let peer: Socket;
    let arrived: Arrived[];
    const commands = new Int32Array(new SharedArrayBuffer(WAKE_WORDS * 4));
    const held = new Int32Array(new SharedArrayBuffer(400));

    beforeEach(async () => {
      arrived = [];
      sockets = await open({
        host: '127.0.0.1',
        commands,
        held,
        handle: (socket, offset, length, from) => {
          const bytes = Buffer.from(sockets.memory.subarray(offset, offset + length));
          arrived.push({ socket, bytes, port: from.port });
          return !bytes.equals(UNWANTED);
        },
      });
      peer = createSocket('udp4').bind(0, '127.0.0.1');
      await once(peer, 'listening');
    });

    afterEach(() => {
      peer.close();
      sockets.stop();
    });

    const bound = (port = 0): Promise<number | null> =>
      new Promise((resolve) => {
        sockets.bind(port, resolve);
      });
    const bindAny = async (): Promise<number> => {
      const socket = await bound();
      if (socket === null) throw new Error('no port');
      return socket;
    };
    /** On an explicit port: Linux releases an ephemeral one when a socket is disconnected. */
    const bindKnown = async (): Promise<{ socket: number; port: number }> => {
      const first = await bindAny();
      const port = await portOf(first);
      sockets.close(first);
      await runUntil(() => true);
      const socket = await bound(port);
      if (socket === null) throw new Error('no port');
      return { socket, port };
    };
    const peerEndpoint = (): Endpoint => {
      const endpoint = parseEndpoint('127.0.0.1', peer.address().port);
      if (!endpoint) throw new Error('no endpoint');
      return endpoint;
    };
    /** Runs till the condition holds; the event loop lives on, whichever adapter it is. */
    const runUntil = async (condition: () => boolean): Promise<void> => {
      const endMs = performance.now() + WITHIN_MS;
      while (!condition() && performance.now() < endMs) {
        let turns = 0;
        await new Promise<void>((resolve) => {
          sockets.run(() => {
            if (turns++ < 3 && !condition()) return STEP_MS;
            sockets.pause();
            resolve();
            return IDLE;
          });
        });
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(condition()).toBe(true);
    };
    const write = (bytes: Uint8Array): void => sockets.memory.set(bytes, OUTGOING);
    /** The port that a bound socket has, as the peer sees it. */
    const portOf = async (socket: number): Promise<number> => {
      const seen = once(peer, 'message') as Promise<[Buffer, { port: number }]>;
      write(Buffer.from('hello'));
      sockets.send(socket, OUTGOING, 5, peerEndpoint());
      const [, { port }] = await seen;
      return port;
    };

    it('sends what stands in memory, even when the memory is written again at once', async () => {
      const socket = await bindAny();
      const got: string[] = [];
      peer.on('message', (message) => got.push(message.toString()));
      for (const text of ['one', 'two', 'six']) {
        write(Buffer.from(text));
        sockets.send(socket, OUTGOING, 3, peerEndpoint());
      }
      write(Buffer.from('bad'));
      await runUntil(() => got.length === 3);
      expect(got).toEqual(['one', 'two', 'six']);
    });

    it('hands over what comes, with its source', async () => {
      const socket = await bindAny();
      const port = await portOf(socket);
      peer.send('first', port, '127.0.0.1');
      peer.send('second', port, '127.0.0.1');
      await runUntil(() => arrived.length === 2);
      expect(arrived.map(({ bytes }) => bytes.toString())).toEqual(['first', 'second']);
      expect(arrived[0]).toMatchObject({ socket, port: peer.address().port });
    });

    it('reads on after an unwanted packet', async () => {
      const port = await portOf(await bindAny());
      for (let count = 0; count < 20; count++) peer.send(UNWANTED, port, '127.0.0.1');
      peer.send('wanted', port, '127.0.0.1');
      await runUntil(() => arrived.length === 21);
      expect(arrived.at(-1)?.bytes.toString()).toBe('wanted');
    });

    it('keeps the sockets apart', async () => {
      const [one, two] = [await bindAny(), await bindAny()];
      peer.send('to two', await portOf(two), '127.0.0.1');
      await runUntil(() => arrived.length === 1);
      expect(arrived[0]?.socket).toBe(two);
      expect(one).not.toBe(two);
    });

    it('cuts a datagram that is too large', async () => {
      const port = await portOf(await bindAny());
      peer.send(Buffer.alloc(5_000, 7), port, '127.0.0.1');
      await runUntil(() => arrived.length === 1);
      expect(arrived[0]?.bytes.length).toBe(MAX_PACKET_BYTES);
      expect(sockets.memory.length).toBeGreaterThanOrEqual(INCOMING + MAX_PACKET_BYTES);
    });

    it('takes an empty datagram', async () => {
      const port = await portOf(await bindAny());
      peer.send(Buffer.alloc(0), port, '127.0.0.1');
      await runUntil(() => arrived.length === 1);
      expect(arrived[0]?.bytes.length).toBe(0);
    });

    it('answers null for a port in use', async () => {
      expect(await bound(peer.address().port)).toBeNull();
    });

    it('frees the port of a closed socket', async () => {
      const first = await bindAny();
      const port = await portOf(first);
      sockets.close(first);
      await runUntil(() => true);
      expect(await bound(port)).not.toBeNull();
    });

    it('survives ICMP errors of a destination that does not listen', async () => {
      const socket = await bindAny();
      const port = await portOf(socket);
      const closing = createSocket('udp4').bind(0, '127.0.0.1');
      await once(closing, 'listening');
      const closed = parseEndpoint('127.0.0.1', closing.address().port);
      closing.close();
      if (closed) for (let count = 0; count < 5; count++) sockets.send(socket, OUTGOING, 3, closed);
      peer.send('still here', port, '127.0.0.1');
      await runUntil(() => arrived.length === 1);
    });

    it('exchanges packets with a connected peer only, then with every source again', async () => {
      const { socket, port } = await bindKnown();
      const other = createSocket('udp4').bind(0, '127.0.0.1');
      await once(other, 'listening');
      sockets.connect(socket, peerEndpoint());
      other.send('of another', port, '127.0.0.1');
      peer.send('of the peer', port, '127.0.0.1');
      await runUntil(() => arrived.length > 0);
      expect(arrived.map(({ bytes }) => bytes.toString())).toEqual(['of the peer']);
      expect(arrived[0]?.port).toBe(peer.address().port);
      expect(await portOf(socket)).toBe(port);
      sockets.connect(socket, null);
      other.send('of another', port, '127.0.0.1');
      await runUntil(() => arrived.length === 2);
      expect(arrived[1]?.port).toBe(other.address().port);
      expect(await portOf(socket)).toBe(port);
      other.close();
    });

    it('reports the true source of packets that were queued before a connection', async () => {
      const { socket, port } = await bindKnown();
      const other = createSocket('udp4').bind(0, '127.0.0.1');
      await once(other, 'listening');
      await new Promise((sent) => other.send('of another', port, '127.0.0.1', sent));
      sockets.connect(socket, peerEndpoint());
      peer.send('of the peer', port, '127.0.0.1');
      await runUntil(() => arrived.some(({ bytes }) => bytes.toString() === 'of the peer'));
      for (const { bytes, port: from } of arrived)
        expect(from === other.address().port).toBe(bytes.toString() === 'of another');
      other.close();
    });

    it('lives on when a connected peer is gone', async () => {
      const { socket, port } = await bindKnown();
      const gone = createSocket('udp4').bind(0, '127.0.0.1');
      await once(gone, 'listening');
      const closed = parseEndpoint('127.0.0.1', gone.address().port);
      await new Promise<void>((resolve) => gone.close(() => resolve()));
      if (!closed) throw new Error('no endpoint');
      sockets.connect(socket, closed);
      for (let count = 0; count < 5; count++) sockets.send(socket, OUTGOING, 3, closed);
      sockets.connect(socket, null);
      peer.send('still here', port, '127.0.0.1');
      await runUntil(() => arrived.length === 1);
      expect(await portOf(socket)).toBe(port);
    });

    it('ignores an address of the other family', async () => {
      const socket = await bindAny();
      const six = parseEndpoint('2001:db8::1', 9);
      if (six) sockets.send(socket, OUTGOING, 3, six);
      expect(await portOf(socket)).toBeGreaterThan(0);
    });
  });
}
