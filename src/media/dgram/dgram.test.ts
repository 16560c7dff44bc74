import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { DOORBELL_WORDS, ORDERS } from '../doorbell.ts';
import { parseEndpoint } from '../endpoint.ts';
import { socketsContract } from '../sockets.contract.ts';
import { IDLE, OUTGOING, type Sockets } from '../sockets.ts';
import { openDgram } from './dgram.ts';

socketsContract('dgram', openDgram);

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(count * 4));

/** With many packets to move in each of its turns, until it calls itself busy; then `next` says how long to wait. */
async function busySockets(
  orders: Int32Array,
  next: (sockets: Sockets) => number,
): Promise<{ sockets: Sockets; arrived: string[]; port: number }> {
  const arrived: string[] = [];
  const sockets: Sockets = await openDgram({
    host: '127.0.0.1',
    orders,
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
      return next(sockets);
    });
  });
  const [, { port }] = await heard;
  peer.close();
  return { sockets, arrived, port };
}

it('hands over while it is busy what came during its rest', async () => {
  const { sockets, arrived, port } = await busySockets(words(DOORBELL_WORDS), () => 2);
  const peer = createSocket('udp4');
  for (let count = 0; count < 20; count++) peer.send(`packet ${count}`, port, '127.0.0.1');
  await expect.poll(() => arrived.length).toBe(20);
  sockets.stop();
  peer.close();
});

it('lets an order end the rest, before the next turn is due', async () => {
  const orders = words(DOORBELL_WORDS);
  const go = words(1);
  const program = `
    const { parentPort, workerData: { orders, go } } = require('node:worker_threads');
    Atomics.wait(go, 0, 0);
    parentPort.postMessage('an order');
    Atomics.add(orders, ${ORDERS}, 1);
    Atomics.notify(orders, ${ORDERS});`;
  const main = new Worker(program, { eval: true, workerData: { orders, go } });
  await once(main, 'online');
  let rests = 0;
  const ordered = once(main, 'message').then(() => rests);
  const { sockets } = await busySockets(orders, (open) => {
    if (rests++ > 0) return IDLE;
    expect(open.isBusy).toBe(true);
    Atomics.store(go, 0, 1);
    Atomics.notify(go, 0);
    return 30_000;
  });
  expect(await ordered).toBe(1);
  sockets.stop();
  await once(main, 'exit');
}, 10_000);
