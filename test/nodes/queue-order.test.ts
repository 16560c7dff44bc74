// Three nodes, one department: strictly first come, first served, and no agent for two callers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { type PostgresServer, postgresMissing, query, startPostgres } from '../support/postgres.ts';
import { type AgentLoad, agentLoad, logChanges, percentile, readLog } from './support/agent-loads.ts';
import { report } from './support/report.ts';

const RATE = Number(process.env['QUEUE_RATE'] ?? 300);
const SECONDS = Number(process.env['QUEUE_SECONDS'] ?? 5);

describe.skipIf(postgresMissing())('three nodes on one department', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.newDatabase();
    await (await openPostgres({ url })).close();
    await logChanges(url);
  });
  afterAll(() => server?.remove());

  const loads = (): Promise<AgentLoad[]> =>
    Promise.all(
      [1, 2, 3].map((index) =>
        agentLoad({
          url,
          node: `node-${index}`,
          work: 'queue',
          rate: RATE / 3,
          seconds: SECONDS,
          agents: 20,
        }),
      ),
    );

  it(`${RATE} callers/s: none is overtaken, none is forgotten, and no agent has two`, async () => {
    const all = await loads();
    const results = await Promise.all(all.map((load) => load.run()));
    const logged = await readLog(url);
    const joined = results.reduce((sum, { done }) => sum + done, 0);
    const refused = results.reduce((sum, result) => sum + result.refused, 0);
    const answers = results.flatMap(({ latenciesMs }) => latenciesMs).sort((one, other) => one - other);
    report(
      `queue: ${joined} callers at ${RATE}/s by three nodes: ${logged.outOfOrder} of ${logged.offers} out of order, ` +
        `${logged.doubled} double claims, ${refused} refused by a full queue; join to answer p50 ${percentile(answers, 0.5).toFixed(2)} ms, ` +
        `p99 ${percentile(answers, 0.99).toFixed(1)} ms`,
    );
    expect(results.map(({ left, failures }) => [left, failures])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(logged).toMatchObject({ outOfOrder: 0, doubled: 0 });
    expect(logged.offers).toBeGreaterThanOrEqual(joined - refused);
    expect(joined).toBeGreaterThan(RATE * SECONDS * 0.1);
    expect(await query(url, 'SELECT count(*) AS n FROM queue_callers')).toEqual([{ n: '0' }]);
  });
});
