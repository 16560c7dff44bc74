import { createSocket, Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { WAKE_WORDS } from '../../commands/wake.ts';
import { parseEndpoint } from '../endpoint.ts';
import { socketsContract } from '../sockets.contract.ts';
import { OUTGOING, type Sockets } from '../sockets.ts';
import { openDgram } from './dgram.ts';

socketsContract('dgram', openDgram);

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(count * 4));

/** With so many packets to send that it calls itself busy. */
async function busySockets(): Promise<{ sockets: Sockets; arrived: string[]; port: number }> {
  const arrived: string[] = [];
  const sockets: Sockets = await openDgram({
    host: '127.0.0.1',
    commands: words(WAKE_WORDS),
    held: words(100),
    handle: (_socket, offset, length) => {
      arrived.push(Buffer.from(sockets.memory.subarray(offset, offset + length)).toString());
      return true;
    },
  });
  const peer = createSocket('udp4').bind(0, '127.0.0.1');
  await once(peer, 'listening');
  const to = parseEndpoint('127.0.0.1', peer.address().port);
  const socket = await new Promise<number | null>((resolve) => sockets.bind(0, resolve));
  if (!to || socket === null) throw new Error('no socket');
  const heard = once(peer, 'message') as Promise<[Buffer, { port: number }]>;
  await new Promise<void>((resolve) => {
    sockets.run(() => {
      if (!sockets.isBusy) {
        for (let sent = 0; sent < 100; sent++) sockets.send(socket, OUTGOING, 4, to);
        return 1;
      }
      resolve();
      return 2;
    });
  });
  const [, { port }] = await heard;
  peer.close();
  return { sockets, arrived, port };
}

it('hands over while it is busy what came during its rest', async () => {
  const { sockets, arrived, port } = await busySockets();
  const peer = createSocket('udp4');
  for (let count = 0; count < 20; count++) peer.send(`packet ${count}`, port, '127.0.0.1');
  await expect.poll(() => arrived.length).toBe(20);
  sockets.stop();
  peer.close();
});

it('writes the packets of another call into memory of their own', async () => {
  const { sockets, port } = await busySockets();
  const to = parseEndpoint('127.0.0.1', port);
  const sent: unknown[] = [];
  const send = vi.spyOn(Socket.prototype, 'send').mockImplementation((packet: unknown) => {
    sent.push(packet);
  });
  const socket = await new Promise<number | null>((resolve) => sockets.bind(0, resolve));
  if (!to || socket === null) throw new Error('no socket');
  sockets.send(socket, OUTGOING, 4, to);
  sockets.send(socket, OUTGOING, 4, to);
  sockets.drain(socket);
  sockets.send(socket, OUTGOING, 4, to);
  send.mockRestore();
  sockets.stop();
  const [first, second, third] = sent.slice(-3);
  expect([first === second, second === third]).toEqual([true, false]);
});
