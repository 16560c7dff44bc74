// R31: all connections of PostgreSQL are taken by other programs, while the service runs and when it starts.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { figure } from '../support/figure.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { call, runProcess, startService } from '../support/service.ts';
import { faultOfRefusal } from './support/http.ts';
import { ms, sleep, waitUntil } from './support/rounds.ts';

const CONNECTIONS = 12;
const FEW = 2;
const BURST = 40;
const { hz, recordings } = tones(400, 'prompt');

/** Takes every free connection, and takes over those of others. */
class Greedy {
  readonly #held: pg.Client[] = [];
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async takeAll(): Promise<void> {
    for (let tries = 0; tries < 200 && this.#held.length < CONNECTIONS; tries++) {
      if (await this.#take()) continue;
      await this.#held[0]?.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> ALL($1::int[]) AND backend_type = $2',
        [this.#pids(), 'client backend'],
      );
    }
    expect(this.#held).toHaveLength(CONNECTIONS);
  }

  async release(count = this.#held.length): Promise<void> {
    await Promise.all(this.#held.splice(0, count).map((client) => client.end()));
  }

  #pids(): number[] {
    return this.#held.map((client) => (client as unknown as { processID: number }).processID);
  }

  async #take(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.#url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      this.#held.push(client);
      return true;
    } catch {
      return false;
    }
  }
}

describe.skipIf(postgresMissing())('PostgreSQL has no connection left', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({
      max_connections: String(CONNECTIONS),
      // 0: the test's user is a superuser.
      superuser_reserved_connections: '0',
    });
  });
  afterAll(() => server?.remove());

  it('R31: requests get 503 with Retry-After, calls go on, and the service recovers by itself', async () => {
    const url = await server.newDatabase();
    const bed = await PhoneBed.open({
      env: { DATABASE_URL: url },
      recordings,
      menus: { main: { timeout: 60 } },
      numbers: { '100': 'ivr||main' },
    });
    const greedy = new Greedy(url);
    try {
      const caller = await bed.reach('100');
      await caller.hears(hz.prompt, { forMs: 80 });
      await greedy.takeAll();
      const redMs = await waitUntil(
        '/readyz red',
        async () => (await bed.api('GET', '/readyz')).status === 503,
        60_000,
      );
      const refused = await Promise.all(
        Array.from({ length: 20 }, () => bed.api('POST', '/v1/agent', { name: 'Late', intercom: '1900' })),
      );
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
      for (const { headers, text } of refused)
        expect(faultOfRefusal({ headers: Object.fromEntries(headers), text })).toBeNull();
      expect((await bed.api('GET', '/healthz')).status).toBe(200);
      const during = await bed.reach('100');
      await during.hears(hz.prompt, { forMs: 80 });
      await sleep(500);
      expect(caller.end).toBeNull();
      await greedy.release();
      const greenMs = await waitUntil(
        '/readyz green',
        async () => (await bed.api('GET', '/readyz')).status === 200,
        60_000,
      );
      expect((await bed.api('POST', '/v1/agent', { name: 'Late', intercom: '1900' })).status).toBe(201);
      await during.hangUp();
      expect(await bed.record(during)).toMatchObject({ outcome: 'abandoned' });
      figure(
        'R31',
        `red after ${ms(redMs)}, 20 of 20 writes 503, two calls went on, green ${ms(greenMs)} after connections came free`,
      );
    } finally {
      await greedy.release();
      for (const phone of bed.phones) phone.close();
      await bed.pbx.remove();
    }
  });

  it(`R31: ${FEW} connections serve ${BURST} requests at once`, async () => {
    const url = await server.newDatabase();
    const service = await startService({ env: { DATABASE_URL: url } });
    const greedy = new Greedy(url);
    try {
      await greedy.takeAll();
      await greedy.release(FEW);
      const ready = async () => (await call(service.url, 'GET', '/readyz')).status === 200;
      await waitUntil('/readyz green', ready, 60_000);
      const create = (_: unknown, index: number) =>
        call(service.url, 'POST', '/v1/agent', { body: { name: 'Many', intercom: String(2000 + index) } });
      const replies = await Promise.all(Array.from({ length: BURST }, create));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      figure('R31', `${BURST} writes at once over ${FEW} connections: all succeed`);
    } finally {
      await greedy.release();
      await service.remove();
    }
  });

  it('R31: a start without a connection ends and says why', async () => {
    const url = await server.newDatabase();
    const greedy = new Greedy(url);
    try {
      await greedy.takeAll();
      const { code, err } = await runProcess(['serve'], {
        env: { PORT: '0', DEMO: 'off', DATABASE_URL: url },
      });
      expect(code).toBe(1);
      expect(err).toContain('has no connection left');
      expect(err).toContain('max_connections');
    } finally {
      await greedy.release();
    }
  });
});
