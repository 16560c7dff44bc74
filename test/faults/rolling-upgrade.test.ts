// R18: a second process starts beside the first on one PostgreSQL and adds a step to the schema; the first then drains, under
// load. A balancer sends each request to a ready process and repeats a 503 at the other, under the same Idempotency-Key.
// Not shown: both on one SIP port of one machine. New calls go to the second process's port, as DNS or a proxy would send them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { figure } from '../support/figure.ts';
import { menu } from '../support/payload.ts';
import { extension, PASSWORD, sipAddress } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { type PostgresServer, postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { call, type Service, startService } from '../support/service.ts';
import { listIvrs } from './support/creations.ts';
import { keepAlive } from './support/http.ts';
import { sleep, waitUntil } from './support/rounds.ts';

const EVERY_MS = 20;
const { hz, recordings } = tones(400, 'prompt', 'agent');

/** Requests in turn to the processes it knows, and again elsewhere after a 503 or a closed connection. */
class Balancer {
  readonly nodes: string[] = [];
  readonly failed: string[] = [];
  readonly created: string[] = [];
  repeated = 0;
  #sent = 0;
  readonly #running = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => {
      const sending = this.#send().finally(() => this.#running.delete(sending));
      this.#running.add(sending);
    }, EVERY_MS);
  }

  get requests(): number {
    return this.#sent;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  async #send(): Promise<void> {
    const number = this.#sent++;
    const isWrite = number % 2 === 0;
    const name = `upgrade ${number}`;
    const options = isWrite ? { body: menu({ name }), headers: { 'idempotency-key': randomUUID() } } : {};
    const nodes = [...this.nodes.slice(number % this.nodes.length), ...this.nodes];
    let last = '';
    for (const node of nodes) {
      const reply = await call(
        node,
        isWrite ? 'POST' : 'GET',
        isWrite ? '/v1/ivr' : '/v1/agents',
        options,
      ).catch((error: Error) => ({ status: 0, text: error.message }));
      if (reply.status === 201) this.created.push(name);
      if (reply.status === 200 || reply.status === 201) return;
      last = `${reply.status} ${reply.text}`;
      if (reply.status !== 503 && reply.status !== 0) break;
      this.repeated += 1;
    }
    this.failed.push(last);
  }
}

/** What a step of a newer version does: it adds. */
async function addStep(url: string): Promise<void> {
  await query(url, 'ALTER TABLE accounts ADD COLUMN IF NOT EXISTS colour TEXT');
  await query(url, "INSERT INTO migrations (version, name, applied_at) VALUES (9000, 'colours', 1)");
}

describe.skipIf(postgresMissing())('a rolling upgrade', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  it('R18: the first process drains beside the second: no API call fails, no call drops', async () => {
    const url = await server.newDatabase();
    const bed = await PhoneBed.open({
      env: { DATABASE_URL: url },
      recordings,
      agents: { '1001': {} },
      menus: { main: { timeout: 60 } },
      numbers: { '100': 'ivr||main', '200': extension('1001') },
    });
    const balancer = new Balancer();
    let second: Service | undefined;
    try {
      balancer.nodes.push(bed.pbx.url);
      const agent = await bed.agent('1001');
      const caller = await bed.dial('200');
      const answered = await (await agent.incoming()).answer();
      await caller.answered();
      await sleep(500);
      second = await startService({
        env: { DATABASE_URL: url, SIP: 'on', SIP_PORT: '0', NODE_ID: 'second' },
        dataDir: bed.pbx.dataDir,
      });
      await addStep(url);
      balancer.nodes.push(second.url);
      await sleep(1000);
      const ended = bed.pbx.stop('SIGTERM');
      await sleep(1000);
      // The phone of the running call stays where it is; new calls go to the second process.
      const phone = await Phone.open({ user: '5559999', password: PASSWORD, server: sipAddress(second) });
      bed.phones.push(phone);
      const late = await (await phone.call('100')).answered();
      await late.hears(hz.prompt, { forMs: 80 });
      await answered.sendTone(hz.agent);
      await caller.hears(hz.agent, { forMs: 200 });
      expect(caller.end).toBeNull();
      await Promise.all([caller.hangUp(), late.hangUp()]);
      expect(await ended).toBe(0);
      await sleep(500);
      await balancer.stop();
      expect(balancer.failed).toEqual([]);
      const connections = keepAlive(4);
      const names = (await listIvrs(connections, second.url)).ivrs.map(({ name }) => name);
      connections.destroy();
      const made = names.filter((name) => name.startsWith('upgrade '));
      expect([...made].sort()).toEqual([...balancer.created].sort());
      const { url: at } = second;
      await waitUntil(
        'both records',
        async () => (await call(at, 'GET', '/v1/call/records')).json.data.length === 2,
        60_000,
      );
      figure(
        'R18',
        `${balancer.requests} requests, 0 failed, ${balancer.repeated} repeated at the other process; 2 calls, 0 dropped`,
      );
    } finally {
      await balancer.stop();
      for (const phone of bed.phones) phone.close();
      await second?.stop('SIGKILL');
      await bed.pbx.remove();
    }
  });
});
