import { describe, expect, it } from 'vitest';
import { afterChange, afterSnapshot, comings, type Live, type LiveCall, NOTHING_YET } from './live-state.ts';

const phones = { registered: 1, reachable: 1, none_since: null };
const agent = (eid: string, state: 'free' | 'talking') => ({
  eid,
  state,
  since: '2026-11-17T10:00:00.000Z',
  paused: null,
  signed_out: [],
  phones,
});
const queue = { department: 'sales', waiting: 2, longest_since: '2026-11-17T10:00:00.000Z' };
const at = '2026-11-17T10:01:00.000Z';
const whole = {
  at,
  telephones: true,
  calls: [],
  agents: [agent('1', 'free'), agent('2', 'free')],
  trunks: [],
  queues: [queue],
};

describe('the live state', () => {
  it('begins with the snapshot, and knows how far the clock of the browser is off', () => {
    const live = afterSnapshot(NOTHING_YET, whole, new Date(at).getTime() - 5_000);
    expect(live.connection).toBe('open');
    expect(live.agents.get('2')?.state).toBe('free');
    expect(live.queues.get('sales')?.waiting).toBe(2);
    expect(live.offsetMs).toBe(5_000);
  });

  it('counts snapshots: what events say is read again after each', () => {
    const first = afterSnapshot(NOTHING_YET, whole, 0);
    const second = afterSnapshot(afterChange(first, {}), whole, 0);
    expect([NOTHING_YET.round, first.round, second.round]).toEqual([0, 1, 2]);
  });

  it('is off where the service runs without telephones', () => {
    expect(afterSnapshot(NOTHING_YET, { ...whole, telephones: false }, 0).connection).toBe('off');
  });

  it('changes the rows that an event names, and leaves the other tables as they are', () => {
    const before = afterSnapshot(NOTHING_YET, whole, 0);
    const after = afterChange(before, {
      agents: { put: [agent('2', 'talking')], gone: ['1'] },
      queues: { put: [], gone: ['sales'] },
    });
    expect([...after.agents.values()].map(({ eid, state }) => [eid, state])).toEqual([['2', 'talking']]);
    expect(after.queues.size).toBe(0);
    expect(after.trunks).toBe(before.trunks);
    expect(before.agents.size).toBe(2);
  });

  it('keeps the nodes that did not answer until an event names others', () => {
    const before = afterSnapshot(NOTHING_YET, { ...whole, unanswered_nodes: ['b'] }, 0);
    expect(afterChange(before, {}).unanswered).toEqual(['b']);
    expect(afterChange(before, { unanswered_nodes: [] }).unanswered).toEqual([]);
  });

  it('says of nobody that they are free while a node does not answer, and says it again when it does', () => {
    const states = (live: Live) => [...live.agents.values()].map(({ state, since }) => [state, since]);
    const { since } = agent('1', 'free');
    const silent = afterSnapshot(
      NOTHING_YET,
      { ...whole, agents: [agent('1', 'free'), agent('2', 'talking')], unanswered_nodes: ['b'] },
      0,
    );
    expect(states(silent)).toEqual([
      ['unknown', null],
      ['talking', since],
    ]);
    const ended = afterChange(silent, { agents: { put: [agent('2', 'free')], gone: [] } });
    expect(states(ended)).toEqual([
      ['unknown', null],
      ['unknown', null],
    ]);
    expect(afterChange(ended, { calls: { put: [], gone: [] } }).agents).toBe(ended.agents);
    const back = afterChange(ended, { unanswered_nodes: [] });
    expect(states(back)).toEqual([
      ['free', since],
      ['free', since],
    ]);
    expect(states(afterChange(back, { unanswered_nodes: ['c'] }))).toEqual(states(ended));
  });

  it('says which calls came and which ended', () => {
    const call = (id: string): LiveCall => ({ id }) as LiveCall;
    const { came, went } = comings([call('a'), call('b')], [call('b'), call('c')]);
    expect([came.map(({ id }) => id), went.map(({ id }) => id)]).toEqual([['c'], ['a']]);
  });
});
