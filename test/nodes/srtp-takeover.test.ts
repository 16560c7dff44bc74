// An encrypted call goes on at another node, with a phone that keeps its key: its sequence numbers have turned over once before, as those
// of any phone have after 22 minutes at most.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { namespacesMissing } from '../hostile/support/needs.ts';
import { has } from '../phones/support/program.ts';
import { PASSWORD } from '../support/pbx.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Cluster } from './support/cluster.ts';
import { sleep } from './support/report.ts';

const { recordings } = tones(1_000, 'menu');
const [CALLER_HZ, CALLED_HZ] = [1_700, 2_100];
const SRTP = { sdp: { srtp: {} } };

describe.skipIf(postgresMissing() || namespacesMissing() || !has('kamailio'))('an encrypted call', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      separate: true,
      edge: {},
      recordings,
      agents: { '1001': {}, '1002': {} },
    });
  });
  afterAll(() => cluster?.close());

  it('is heard on both sides after the death of its node', async () => {
    const server = cluster.edge.sip;
    const phone = await cluster.agent(0, '1001', { server });
    const from = await cluster.phone(0, { server, user: '1002', password: PASSWORD, ...SRTP });
    // New calls go to the first node.
    const [first, second] = [cluster.node(0), cluster.node(1)];
    await second.api('POST', `/v1/node/${second.id}/drain`);
    await cluster.edge.serves(1);
    const dialled = await from.call('1001');
    dialled.rtp.startAt(65_500);
    const called = await (await phone.incoming()).answer();
    const caller = await dialled.answered();
    expect(caller.remote?.crypto).not.toBe(null);
    await caller.sendTone(CALLER_HZ);
    await called.sendTone(CALLED_HZ);
    await called.hears(CALLER_HZ, { forMs: 200 });
    await second.api('POST', `/v1/node/${second.id}/resume`);
    // Turned over, and stored for the other node.
    await sleep(3_000);
    expect(caller.rtp.nextSequence).toBeLessThan(10_000);
    const before = caller.descriptions.length;
    await first.kill();
    await expect.poll(() => caller.descriptions.length).toBeGreaterThan(before);
    called.forget();
    caller.forget();
    await called.hears(CALLER_HZ, { forMs: 300, withinMs: 30_000 });
    await caller.hears(CALLED_HZ, { forMs: 300, withinMs: 30_000 });
    await caller.hangUp();
    await called.ended();
  }, 90_000);
});
