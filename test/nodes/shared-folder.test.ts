// Containers that share one data folder: equal process ids, equal paths, one PostgreSQL.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf, tones } from '../calls/support/phone-bed.ts';
import { postgresMissing } from '../support/postgres.ts';
import { call, type Json, runProcess, type Service, startService } from '../support/service.ts';
import { Cluster } from './support/cluster.ts';
import { report, sleep } from './support/report.ts';

const { hz, recordings } = tones(400, 'prompt');

describe.skipIf(postgresMissing())('two processes with one data folder', () => {
  let cluster: Cluster;
  let second: Service | undefined;
  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 1,
      recordings,
      menus: { main: { timeout: 60, timeout_tries: 20 } },
      numbers: { '100': 'ivr||main' },
    });
  });
  afterAll(async () => {
    await second?.stop('SIGKILL');
    await cluster?.close();
  });

  const env = (more: Record<string, string>) => ({
    DATABASE_URL: cluster.database.url,
    SECRET_KEY: 'aa'.repeat(32),
    PORT: '0',
    SIP: 'on',
    SIP_PORT: '0',
    ...more,
  });
  const records = async (url: string): Promise<Json[]> =>
    (await call(url, 'GET', '/v1/call/records')).json.data;

  it('with the same node id the second is refused, with the first one’s process id', async () => {
    const refused = await runProcess(['serve'], {
      env: env({ NODE_ID: 'node-1' }),
      dataDir: cluster.dataDir(0),
    });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('NODE_ID of their own')]);
    expect(refused.err).toContain(`the Dialtree process ${cluster.node(0).process.pid}`);
  });

  it('in another folder a node with the same id is refused as long as the first is seen', async () => {
    const refused = await runProcess(['serve'], {
      env: env({ NODE_ID: 'node-1' }),
      dataDir: cluster.dataDir(7),
    });
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('NODE_ID node-1 is in use by a node at'),
    ]);
  });

  it('with CLUSTER=off beside another node the start is refused', async () => {
    const options = { env: env({ NODE_ID: 'alone', CLUSTER: 'off' }), dataDir: cluster.dataDir(8) };
    const refused = await runProcess(['serve'], options);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('With CLUSTER=off no other node may'),
    ]);
  });

  it('with another node id the second leaves the running call of the first alone, and the true record is stored', async () => {
    const phone = await cluster.phone(0);
    const talk = await (await phone.call('100')).answered();
    await talk.hears(hz.prompt, { forMs: 80 });
    await sleep(600);
    second = await startService({ env: env({ NODE_ID: 'node-2' }), dataDir: cluster.dataDir(0) });
    await sleep(1000);
    expect(await records(second.url)).toEqual([]);
    await talk.hangUp();
    const { url } = second;
    await expect.poll(() => records(url)).not.toEqual([]);
    // A second one would come by then.
    await sleep(1500);
    const [record, ...more] = await records(url);
    expect(record).toMatchObject({ caller: callerOf(talk), outcome: 'abandoned' });
    expect(more).toEqual([]);
    // Killed, its journal is adopted by the node that shares the folder, or its rows by any other.
    await (await phone.call('100')).answered();
    for (let tries = 0; tries < 100; tries++) {
      if ((await cluster.database.query('SELECT 1 FROM live_calls')).length > 0) break;
      await sleep(100);
    }
    await cluster.node(0).kill();
    const untilMs = performance.now() + 60_000;
    let outcomes: unknown[] = [];
    while (performance.now() < untilMs && outcomes.length < 2) {
      await sleep(200);
      outcomes = (await records(second.url)).map((each) => each['outcome']);
    }
    expect(outcomes.sort()).toEqual(['abandoned', 'interrupted']);
    expect(readdirSync(cluster.dataDir(0)).filter((name) => name.startsWith('lock.'))).toContain(
      'lock.node-1',
    );
    report('shared folder: 2 processes, 0 running calls adopted, 2 records of 2 calls');
  });
});
