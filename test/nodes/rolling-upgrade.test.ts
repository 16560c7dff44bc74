// The former version and this one serve on one PostgreSQL: this one migrates under load, beside a backup that holds its locks, then
// the former one drains.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { menu } from '../support/payload.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { postgresMissing } from '../support/postgres.ts';
import { recordingForm } from '../support/recording-form.ts';
import { Cluster, type ClusterNode } from './support/cluster.ts';
import { buildFormer, FORMER_COMMIT, type FormerVersion, formerMissing } from './support/former.ts';
import { Load } from './support/load.ts';
import { quantile, report, sleep } from './support/report.ts';

const HZ = 700;
const BACKUP_MS = 1500;

describe.skipIf(postgresMissing() || formerMissing())('a rolling upgrade', () => {
  let former: FormerVersion;
  let cluster: Cluster;
  beforeAll(async () => {
    former = buildFormer();
    cluster = await Cluster.open({
      nodes: 0,
      isEmpty: true,
      programOf: (index) => (index === 0 ? former.folder : undefined),
    });
  });
  afterAll(async () => {
    await cluster?.close();
    former?.remove();
  });

  /** What `dialtree backup` holds while it reads the tables. */
  async function holdLocks(): Promise<void> {
    const client = new pg.Client({ connectionString: cluster.database.url });
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    for (const { tablename } of rows) await client.query(`SELECT count(*) FROM ${tablename} WHERE 1 = 0`);
    setTimeout(() => void client.query('COMMIT').then(() => client.end()), BACKUP_MS);
  }

  async function configure(node: ClusterNode): Promise<void> {
    const form = recordingForm({ id: 'prompt', name: 'prompt' }, toneWav(HZ, 3000));
    for (const [path, body] of [
      ['/v1/recording', form],
      ['/v1/ivr', menu({ id: 'main', recording: 'recording||prompt', timeout: 60 })],
      ['/v1/number', { number: '100', destination: 'ivr||main' }],
    ] as const) {
      const { status, text } = await node.api('POST', path, body);
      expect(status, `${path}: ${text}`).toBe(201);
    }
  }

  const steps = async (): Promise<number> =>
    (await cluster.database.query('SELECT version FROM migrations')).length;

  it(`from ${FORMER_COMMIT}: nothing fails while both serve and this one migrates`, async () => {
    const old = await cluster.restart(0);
    await configure(old);
    cpSync(join(cluster.dataDir(0), 'recordings'), join(cluster.dataDir(1), 'recordings'), {
      recursive: true,
    });
    const stepsBefore = await steps();
    const load = new Load(cluster, { number: '100', hz: HZ });
    load.inService.push(old);
    await sleep(1000);
    await holdLocks();
    const startedMs = performance.now();
    const next = await cluster.restart(1);
    const startMs = Math.round(performance.now() - startedMs);
    const newSteps = (await steps()) - stepsBefore;
    load.inService.push(next);
    await sleep(2500);
    load.inService.shift();
    // An edge sends no new calls to a node that is taken out; those on their way arrive.
    await sleep(500);
    const drained = old.drain();
    await sleep(1000);
    await load.stop();
    expect(load.failed).toEqual([]);
    expect(await drained).toBe(0);
    const names = new Set<string>();
    for (let path = '/v1/ivrs?limit=200'; path; ) {
      const { json } = await next.api('GET', path);
      for (const { name } of json.data) names.add(name);
      path = json.next_cursor ? `/v1/ivrs?limit=200&cursor=${encodeURIComponent(json.next_cursor)}` : '';
    }
    expect(load.created.filter((name) => !names.has(name))).toEqual([]);
    // Records are written in batches.
    await expect.poll(async () => (await cluster.records(1)).length).toBe(load.calls);
    report(
      `rolling upgrade from ${FORMER_COMMIT}: ${newSteps} steps, ready after ${startMs} ms beside a backup of ${BACKUP_MS} ms; ` +
        `${load.requests} requests and ${load.calls} calls, 0 failed, ${load.repeated} repeated; ` +
        `INVITE to 200 p99 ${Math.round(quantile(load.setUpMs, 0.99))} ms`,
    );
  });

  it('this version starts on a schema that a newer one has added to, and not on one that it changed', async () => {
    const { database } = cluster;
    await database.query('ALTER TABLE accounts ADD COLUMN colour TEXT');
    const add =
      'INSERT INTO migrations (version, name, applied_at, checksum, expands) VALUES ($1, $2, 1, $3, $4)';
    await database.query(add, [9000, 'colours', 'x', 1]);
    await cluster.node(1).kill();
    const again = await cluster.restart(1);
    expect((await again.api('GET', '/readyz')).status).toBe(200);
    await again.kill();
    await database.query(add, [9001, 'no more outbox', 'x', 0]);
    await expect(cluster.restart(1)).rejects.toThrow('with step 9001 (no more outbox) of its schema');
  });
});
