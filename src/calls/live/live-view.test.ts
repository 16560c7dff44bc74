import { describe, expect, it } from 'vitest';
import type { AgentView } from '../agents/agent-view.ts';
import { type LiveTrunk, mergedLive, NOTHING_LIVE } from './live-view.ts';

const agent = (state: AgentView['state'], sinceMs: number | null, registered = 1): AgentView => ({
  eid: '1',
  state,
  sinceMs,
  paused: null,
  signedOut: [],
  phones: { registered, reachable: registered, goneAtMs: registered > 0 ? null : 7 },
});
const trunk = (registered: boolean | null, calls: number, problem: string | null = null): LiveTrunk => ({
  id: 't',
  registered,
  problem,
  calls,
  reachable: null,
  hosts: [],
  unused_addresses: [],
  registered_by: registered === null ? null : 'a',
});

describe('the live view of several nodes', () => {
  it('has the state of the node whose call holds the agent, since when that one says', () => {
    const { agents } = mergedLive(
      [
        { node: 'a', answer: { ...NOTHING_LIVE, agents: [agent('free', 100)] } },
        { node: 'b', answer: { ...NOTHING_LIVE, agents: [agent('talking', 200)] } },
      ],
      [],
    );
    expect(agents).toMatchObject([{ eid: '1', state: 'talking', sinceMs: 200 }]);
  });

  it('has a phone that any node knows', () => {
    const { agents } = mergedLive(
      [
        { node: 'a', answer: { ...NOTHING_LIVE, agents: [agent('unreachable', null, 0)] } },
        { node: 'b', answer: { ...NOTHING_LIVE, agents: [agent('free', null, 2)] } },
      ],
      [],
    );
    expect(agents[0]?.phones).toEqual({ registered: 2, reachable: 2, goneAtMs: null });
  });

  it('has calls with their node, trunks once, and says who did not answer', () => {
    const call = (id: string) => ({ id, state: 'menu' as const, node: null, agent: null });
    const live = mergedLive(
      [
        { node: 'a', answer: { ...NOTHING_LIVE, calls: [call('2')], trunks: [trunk(null, 1)] } },
        {
          node: 'b',
          answer: { ...NOTHING_LIVE, calls: [call('1')], trunks: [trunk(false, 2, 'no answer')] },
        },
      ],
      ['c'],
    );
    expect(live.calls.map(({ id, node_id }) => [id, node_id])).toEqual([
      ['1', 'b'],
      ['2', 'a'],
    ]);
    expect(live.trunks).toMatchObject([{ registered: false, problem: 'no answer', calls: 3 }]);
    expect(live.unanswered).toEqual(['c']);
  });
});
