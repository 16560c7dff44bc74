// T40: what all accounts share. One account stalls as many uploads as there are slots; the other accounts do not notice, and a slot is
// free again at the moment of its 408.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REQUEST_MS } from '../../src/api/http/server.ts';
import { UPLOADS } from '../../src/recordings/recording-store.ts';
import { openRaw, type RawConnection } from '../faults/support/raw.ts';
import { figure } from '../support/figure.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, type Reply, runProcess, type Service, startService, TOKEN } from '../support/service.ts';

const BEGUN = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF';
/** Node looks for late requests once a second. */
const GRACE_MS = 30_000;

let service: Service;
let other: string;
beforeAll(async () => {
  service = await startService();
  const made = await runProcess(['account', 'create', 'other'], { dataDir: service.dataDir });
  other = made.out.trim();
});
afterAll(() => service.remove());

async function stallUpload(): Promise<RawConnection> {
  const raw = await openRaw(service.url);
  raw.socket.write(
    `POST /v1/recording HTTP/1.1\r\nhost: dialtree\r\nauthorization: Bearer ${TOKEN}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n${BEGUN}`,
  );
  return raw;
}

async function upload(token: string): Promise<Reply & { readonly tookMs: number }> {
  const startedMs = performance.now();
  const reply = await call(service.url, 'POST', '/v1/recording', { token, body: recordingForm() });
  return { ...reply, tookMs: performance.now() - startedMs };
}

const statusOf = (raw: RawConnection): string => raw.received().slice(9, 12);

it('T40: stalled uploads of one account leave room for another, and free their slots with the 408', async () => {
  // The converting thread is started before time counts.
  expect((await upload(other)).status).toBe(201);
  const stalled = await Promise.all(Array.from({ length: UPLOADS.total }, stallUpload));
  const begunMs = performance.now();
  try {
    const late = () => stalled.filter((raw) => statusOf(raw) === '408').length;
    await sleep(500);
    const beside = await upload(other);
    expect([beside.status, beside.json?.Code]).toEqual([201, undefined]);
    // Those that hold a slot were stalled all the while.
    expect(late()).toBe(0);
    expect(stalled.filter((raw) => statusOf(raw) === '503').length).toBe(UPLOADS.total - UPLOADS.perAccount);
    expect((await upload(TOKEN)).json).toMatchObject({ Code: 'overloaded' });

    await expect.poll(late, { timeout: REQUEST_MS + GRACE_MS, interval: 20 }).toBe(UPLOADS.perAccount);
    const lateMs = performance.now() - begunMs;
    const after = await upload(TOKEN);
    expect(after.status).toBe(201);
    figure(
      'T40',
      `${UPLOADS.total} stalled uploads of one account: another account's upload took ${Math.round(beside.tookMs)} ms; ` +
        `408 after ${(lateMs / 1000).toFixed(1)} s, its own next upload ${Math.round(after.tookMs)} ms later`,
    );
  } finally {
    for (const { socket } of stalled) socket.destroy();
  }
});
