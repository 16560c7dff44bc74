// What SIP over WebSocket costs per message between the two threads, beside the message in one thread: an INVITE with the SDP of a
// browser, 6 KiB, there and a 200 of 700 bytes back.
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';

const COUNT = 100_000;
const BATCH = 64;
const invite = Buffer.alloc(6 * 1024, 'a');
const forms = {
  'bytes of their own': () => new Uint8Array(invite),
  'a view of a 64 KiB buffer': () => Buffer.alloc(64 * 1024).subarray(0, invite.length),
  text: () => invite.toString('latin1'),
} as const;

for (const [name, make] of Object.entries(forms)) {
  const { port1, port2 } = new MessageChannel();
  const peer = new Worker(
    `const { workerData: port } = require('node:worker_threads');
     const answer = Buffer.alloc(700, 'b');
     port.on('message', ({ id }) => port.postMessage({ id, bytes: new Uint8Array(answer) }));`,
    { eval: true, workerData: port2, transferList: [port2] },
  );
  await once(peer, 'online');
  let answered = 0;
  let sent = 0;
  const before = process.cpuUsage();
  const startedMs = performance.now();
  await new Promise<void>((resolve) => {
    const more = (): void => {
      for (let at = 0; at < BATCH && sent < COUNT; at++) port1.postMessage({ id: sent++, bytes: make() });
    };
    port1.on('message', () => {
      answered++;
      if (answered === COUNT) resolve();
      else if (answered % BATCH === 0) more();
    });
    more();
  });
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - startedMs;
  console.log(
    `${name}: ${((user + system) / COUNT).toFixed(1)} µs of CPU for a message there and one back, both threads; ${((wallMs / COUNT) * 1000).toFixed(1)} µs each`,
  );
  port1.close();
  await peer.terminate();
}
