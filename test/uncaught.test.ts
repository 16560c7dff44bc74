// An error that no handler caught: it is logged, the service drains, and the process ends with 1 for a supervisor to start a
// new one. The error is thrown by code that the test puts into the process, at a signal.
import { afterEach, describe, expect, it } from 'vitest';
import { headOf, openRaw } from './faults/support/raw.ts';
import { menu } from './support/payload.ts';
import { type Service, startService } from './support/service.ts';

const AT_SIGNALS = `data:text/javascript,${encodeURIComponent(
  `import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';
   const channel = new BroadcastChannel('signals');
   channel.unref();
   process.on('SIGUSR2', () => { throw new Error('thrown at a signal'); });
   process.on('SIGWINCH', () => { Promise.reject(new Error('rejected at a signal')); });
   process.on('SIGURG', () => channel.postMessage('throw'));
   process.on('SIGIO', () => channel.postMessage('exit'));
   if (!isMainThread && workerData?.counts) channel.onmessage = ({ data }) => {
     if (data === 'exit') process.exit(7);
     throw new Error('thrown in the API thread');
   };`,
)}`;

let service: Service;
afterEach(() => service.remove());

const start = async (drainSeconds = 20) => {
  const env = { NODE_OPTIONS: `--import=${AT_SIGNALS}`, DRAIN_SECONDS: String(drainSeconds) };
  service = await startService({ env });
  return service;
};
const logged = () =>
  service.log.map((line) => JSON.parse(line) as { level: number; msg: string; err?: { message: string } });

/** A creation of which the last bytes are still to come. */
async function halfSent() {
  const body = JSON.stringify(menu({ name: 'sent across a fault' }));
  const raw = await openRaw(service.url);
  raw.socket.write(headOf('POST', '/v1/ivr', Buffer.byteLength(body)) + body.slice(0, -10));
  await expect
    .poll(async () => (await fetch(`${service.url}/metrics`)).text())
    .toMatch(/requests_running [12]$/m);
  return { raw, finish: () => raw.socket.write(body.slice(-10)) };
}

describe('after an error that no handler caught', () => {
  it.each([
    ['SIGUSR2', 'thrown at a signal'],
    ['SIGWINCH', 'rejected at a signal'],
    ['SIGURG', 'thrown in the API thread'],
  ] as const)('%s: the service logs it, finishes what runs and ends with 1', async (signal, message) => {
    const { process: child, url } = await start();
    const { raw, finish } = await halfSent();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.kill(signal);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
    finish();
    expect(await raw.until(/\r\n\r\n.*\}/, 5000)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ended).toBe(1);
    expect(logged()).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'uncaught error; draining',
        err: expect.objectContaining({ message }),
      }),
    );
    expect(logged().at(-1)?.msg).toBe('closed');
  });

  it('a second one is logged, and the drain goes on', async () => {
    const { process: child } = await start();
    const { raw, finish } = await halfSent();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.kill('SIGUSR2');
    await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(503);
    child.kill('SIGUSR2');
    await expect.poll(() => logged().filter(({ msg }) => msg.startsWith('uncaught')).length).toBe(2);
    finish();
    expect(await raw.until(/\r\n\r\n.*\}/, 5000)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ended).toBe(1);
  });

  it('the end of the API thread is one: calls may end, and the process ends with 1', async () => {
    const { process: child } = await start();
    await halfSent();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.kill('SIGIO');
    expect(await ended).toBe(1);
    expect(logged()).toContainEqual(
      expect.objectContaining({
        msg: 'uncaught error; draining',
        err: expect.objectContaining({ message: 'The API thread has ended with code 7.' }),
      }),
    );
    expect(logged().at(-1)?.msg).toBe('closed');
  });

  it('errors without end end the process at once', async () => {
    // It does not drain: that would take longer than this test may.
    const { process: child } = await start(600);
    await halfSent();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const repeated = setInterval(() => child.kill('SIGUSR2'), 50);
    expect(await ended).toBe(1);
    clearInterval(repeated);
  });
});
