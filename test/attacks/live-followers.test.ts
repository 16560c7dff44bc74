// 5,000 connections that follow live events and never read them (T47), of a hundred accounts: each account has its share, the process
// has a limit, and requests and calls of others go on.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_FOLLOWERS, MAX_FOLLOWERS_IN_ALL } from '../../src/calls/events/event-stream.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { DEFAULT_SETTINGS } from '../../src/domain/account.ts';
import { hashToken } from '../../src/kit/credentials.ts';
import { openStorage } from '../../src/service/open-storage.ts';
import { Stalls, TONE_HZ, TONE_NUMBER, TONE_SERVICE } from '../hostile/support/audio.ts';
import { openFiles, residentBytes } from '../hostile/support/metrics.ts';
import { figure } from '../support/figure.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { call, TOKEN } from '../support/service.ts';

const ACCOUNTS = MAX_FOLLOWERS_IN_ALL / MAX_FOLLOWERS;
const AT_ONCE = 100;
const MEGABYTE = 1024 * 1024;

const tokenOf = (index: number): string => (index === 0 ? TOKEN : `token-of-follower-${index}`);

describe('followers of live events', () => {
  let pbx: Pbx;
  let stalls: Stalls;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    pbx = await startPbx(TONE_SERVICE);
    stalls = new Stalls();
    const config = readConfig({ DATA_DIR: pbx.dataDir });
    const storage = await openStorage(config as Config);
    for (let index = 1; index <= ACCOUNTS; index++) await storage.createAccount(accountOf(index));
    await storage.close();
  });
  afterAll(async () => {
    stalls?.close();
    for (const socket of sockets) socket.destroy();
    await pbx?.remove();
  });

  function accountOf(index: number) {
    const id = `follower-${index}`;
    const createdAtMs = Date.now();
    const token = {
      id,
      accountId: id,
      name: id,
      hash: hashToken(tokenOf(index)),
      createdAtMs,
      expiresAtMs: null,
      use: 'api' as const,
      scopes: ['admin' as const],
      parentId: null,
      lastUsedAtMs: null,
    };
    return { account: { id, name: id, createdAtMs, settings: DEFAULT_SETTINGS }, token, records: [] };
  }

  /** The status of the response; nothing behind its first packet is read. */
  function follow(token: string): Promise<number> {
    const { hostname, port } = new URL(pbx.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `GET /v1/live_calls/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
      });
      sockets.push(socket);
      socket.once('error', reject);
      socket.once('data', (bytes) => {
        socket.pause();
        socket.on('error', () => undefined);
        resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1]));
      });
    });
  }

  async function healthMs(count: number): Promise<number> {
    const all: number[] = [];
    for (let each = 0; each < count; each++) {
      const startMs = performance.now();
      expect((await call(pbx.url, 'GET', '/healthz')).status).toBe(200);
      all.push(performance.now() - startMs - stalls.within(startMs, performance.now()));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return all.sort((a, b) => a - b)[Math.floor(count * 0.99)] ?? Number.NaN;
  }

  it(`T47: ${MAX_FOLLOWERS_IN_ALL} followers that never read: bounded, and others do not notice`, async () => {
    const calmMs = await healthMs(100);
    const before = { bytes: residentBytes(pbx), files: openFiles(pbx) };
    const statuses: number[] = [];
    for (let from = 0; from < MAX_FOLLOWERS_IN_ALL; from += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, index) => tokenOf((from + index) % ACCOUNTS));
      statuses.push(...(await Promise.all(some.map(follow))));
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    // One of its own, and one of an account that has none.
    expect(await follow(TOKEN)).toBe(503);
    expect(await follow(tokenOf(ACCOUNTS))).toBe(503);

    const phone = await Phone.open({ server: pbx.sip });
    for (let each = 0; each < 5; each++) {
      const one = await phone.call(TONE_NUMBER);
      await one.answered();
      await one.hears(TONE_HZ);
      await one.hangUp();
    }
    phone.close();
    const followedMs = await healthMs(200);
    const grown = Math.round((residentBytes(pbx) - before.bytes) / MEGABYTE);
    figure(
      'T47',
      `${MAX_FOLLOWERS_IN_ALL} followers that never read: RSS ${Math.round(before.bytes / MEGABYTE)} MB + ${grown} MB; ` +
        `/healthz p99 ${followedMs.toFixed(1)} ms (calm ${calmMs.toFixed(1)})`,
    );
    expect(grown).toBeLessThan(400);
    // All of them followed meanwhile.
    expect(openFiles(pbx)).toBeGreaterThan(before.files + 0.95 * MAX_FOLLOWERS_IN_ALL);

    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(() => openFiles(pbx)).toBeLessThanOrEqual(before.files + 20);
    await expect.poll(() => follow(TOKEN)).toBe(200);
  });

  it('T47: an account has no more than its own share', async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const statuses = await Promise.all(Array.from({ length: MAX_FOLLOWERS + 5 }, () => follow(tokenOf(1))));
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(await follow(tokenOf(2))).toBe(200);
  });
});
