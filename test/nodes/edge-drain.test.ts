// A node is stopped under load behind Kamailio: no call fails. Nodes are in network namespaces of their own.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { has } from '../phones/support/program.ts';
import { runSipp, Sipp, type SippResult } from '../phones/support/sipp.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Cluster } from './support/cluster.ts';
import { Edge } from './support/edge.ts';
import { quantile, report, sleep } from './support/report.ts';

const { recordings } = tones(60_000, 'menu');
const PER_SECOND = 20;
const CALLS = 300;
/** Into the load. */
const STOP_AFTER_MS = 4_000;

describe.skipIf(postgresMissing() || !has('kamailio') || !has('sipp') || process.getuid?.() !== 0)(
  'draining behind Kamailio',
  () => {
    let cluster: Cluster;
    let provider: string;

    beforeAll(async () => {
      cluster = await Cluster.open({
        nodes: 2,
        separate: true,
        edge: {},
        recordings,
        menus: { main: { recording: 'recording||menu', timeout: 60 } },
        numbers: { '100': 'ivr||main' },
        trunks: { provider: { host: '192.0.2.1', addresses: [], max_calls: 500 } },
      });
      provider = cluster.network?.guest(1) ?? '';
      const { status, text } = await cluster
        .node(0)
        .api('PATCH', '/v1/trunk/provider', { addresses: [provider] });
      expect(status, text).toBe(200);
      // Both nodes know it within a second, on a machine that is not too busy.
      await sleep(3_000);
    });
    afterAll(() => cluster?.close());

    // The test before stopped node A.
    beforeEach(async () => {
      const { exitCode, signalCode } = cluster.node(0).process;
      if (exitCode === null && signalCode === null) return;
      const { sip } = await cluster.restart(0);
      await cluster.edge.setNodes([sip, cluster.node(1).sip]);
      await cluster.edge.serves(2);
    });

    const load = (edge: Edge) => ({
      scenario: 'short-call',
      server: edge.sip,
      host: provider,
      calls: CALLS,
      perSecond: PER_SECOND,
      keys: { caller: '555' },
      more: ['-trace_rtt', '-rtt_freq', '1'],
    });

    const figures = ({ responseMs, failed }: SippResult): string =>
      `${failed} of ${CALLS} failed, INVITE → 200 p50 ${quantile(responseMs, 0.5).toFixed(1)} ms, p99 ${quantile(responseMs, 0.99).toFixed(1)} ms`;

    /** Calm first, then the same with a stop of node A. */
    async function drained(edge: Edge, how: string): Promise<void> {
      const calm = await runSipp(load(edge));
      report(`calm, ${how}: ${figures(calm)}`);
      expect(calm.failed, calm.story).toBe(0);

      const sipp = await Sipp.start(load(edge));
      await sleep(STOP_AFTER_MS);
      const stopped = cluster.node(0).drain();
      const result = await sipp.ended;
      report(`SIGTERM of one of two nodes at ${PER_SECOND} calls/s, ${how}: ${figures(result)}`);
      expect(await stopped).toBe(0);
      expect([result.failed, result.successful], result.story).toEqual([0, CALLS]);
      expect(await edge.active()).toBe(1);
    }

    it('with failover no call fails', async () => {
      await drained(cluster.edge, 'with failover');
    });

    it('after kill -9 of one node new calls are taken by the other', async () => {
      const sipp = await Sipp.start(load(cluster.edge));
      await sleep(STOP_AFTER_MS);
      await cluster.node(0).kill();
      const result = await sipp.ended;
      const longestMs = Math.max(...result.responseMs);
      report(
        `kill -9 of one of two nodes at ${PER_SECOND} calls/s: ${figures(result)}, longest ${longestMs.toFixed(0)} ms`,
      );
      // Those that were connected at that node.
      expect(result.failed, result.story).toBeLessThan(CALLS / 4);
    });

    it('by the dispatcher’s pings alone no call fails either', async () => {
      const { host } = cluster.edge.sip;
      const nodes = cluster.nodes.map(({ sip }) => sip);
      const edge = await Edge.open(nodes, { host, settings: ['#!define WITHOUT_FAILOVER'] });
      try {
        await drained(edge, 'without failover');
      } finally {
        await edge.close();
      }
    });
  },
);
