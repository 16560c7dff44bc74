// Nodes with addresses of their own, in network namespaces: one that is cut off from the database goes on with calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { namespacesMissing } from '../hostile/support/needs.ts';
import { PASSWORD } from '../support/pbx.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Cluster } from './support/cluster.ts';
import { report } from './support/report.ts';

const { hz, recordings } = tones(1500, 'prompt');

describe.skipIf(postgresMissing() || namespacesMissing())('two nodes in namespaces of their own', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      separate: true,
      recordings,
      menus: { main: { timeout: 60 } },
      numbers: { '100': 'ivr||main' },
      agents: { '1001': {} },
    });
  });
  afterAll(() => cluster?.close());

  async function hears(index: number): Promise<void> {
    const call = await (
      await (await cluster.phone(index, { user: '1001', password: PASSWORD })).call('100')
    ).answered();
    await call.hears(hz.prompt, { forMs: 80 });
    await call.hangUp();
  }
  const readiness = async (index: number): Promise<number> =>
    (await cluster.node(index).api('GET', '/readyz')).status;

  it('a node that is cut off from PostgreSQL takes calls, is not ready, and is ready when it is healed', async () => {
    await hears(0);
    await hears(1);
    const { network, database } = cluster;
    const cutMs = performance.now();
    network?.cut(1, `${network.here} ${database.server.port}/tcp`);
    await expect.poll(() => readiness(1)).toBe(503);
    const redMs = Math.round(performance.now() - cutMs);
    expect(await readiness(0)).toBe(200);
    await hears(1);
    network?.heal(1);
    const healedMs = performance.now();
    await expect.poll(() => readiness(1)).toBe(200);
    report(
      `cut off from PostgreSQL: not ready after ${redMs} ms, calls answered; ready ${Math.round(performance.now() - healedMs)} ms after it is healed`,
    );
  });
});
