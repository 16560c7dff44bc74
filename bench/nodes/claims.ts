// Agents and queues that nodes share: claims and joins per second and their latencies, with sharing off (one process, in memory) and on
// (1 and 3 processes on one PostgreSQL), in one run. Run by `npm run bench:nodes`.
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import type { LoadOrder } from '../../test/nodes/support/agent-load.ts';
import { agentLoad, logChanges, percentile, readLog } from '../../test/nodes/support/agent-loads.ts';
import { startPostgres } from '../../test/support/postgres.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 5);

const server = await startPostgres({ fsync: 'on' });
const url = await server.newDatabase();
await (await openPostgres({ url })).close();

async function measure(
  name: string,
  nodes: number,
  order: Omit<LoadOrder, 'node' | 'seconds'>,
): Promise<void> {
  const loads = await Promise.all(
    Array.from({ length: nodes }, (_, index) =>
      agentLoad({ ...order, node: `node-${index + 1}`, seconds: SECONDS }),
    ),
  );
  const results = await Promise.all(loads.map((load) => load.run()));
  const sorted = (all: number[]): number[] => all.sort((one, other) => one - other);
  const latencies = sorted(results.flatMap(({ latenciesMs }) => latenciesMs));
  const others = sorted(results.flatMap(({ otherMs }) => otherMs));
  const done = results.reduce((sum, result) => sum + result.done, 0);
  const failures = results.reduce((sum, result) => sum + result.failures + result.left, 0);
  const text = (ms: number): string => ms.toFixed(2).padStart(6);
  console.log(
    `${name.padEnd(52)} ${String(Math.round(done / SECONDS)).padStart(7)}/s  p50 ${text(percentile(latencies, 0.5))} ms  ` +
      `p99 ${text(percentile(latencies, 0.99))} ms  other accounts' claims p50 ${text(percentile(others, 0.5))} p99 ` +
      `${text(percentile(others, 0.99))} ms  failures ${failures}`,
  );
}

await measure('claims, sharing off, one process', 1, { url: null, work: 'claims', rate: 1, agents: 1 });
await measure('claims, sharing on, one at a time', 1, { url, work: 'claims', rate: 1, agents: 1 });
await measure('claims, sharing on, 3 nodes, 50 at once each', 3, {
  url,
  work: 'claims',
  rate: 50,
  agents: 50,
  accounts: 10,
});
await measure('joins, sharing off, one process', 1, { url: null, work: 'joins', rate: 1, agents: 50 });
await measure('joins, sharing on, one at a time', 1, { url, work: 'joins', rate: 1, agents: 50 });
await measure('joins, sharing on, one account, 3 nodes, 10 at once', 3, {
  url,
  work: 'joins',
  rate: 10,
  agents: 50,
});
await logChanges(url);
await measure('the same with the log of the transactions', 3, { url, work: 'joins', rate: 10, agents: 50 });
const { offers, outOfOrder, claims, doubled } = await readLog(url);
console.log(`${outOfOrder} of ${offers} offers out of order, ${doubled} of ${claims} claims doubled`);
await server.remove();
