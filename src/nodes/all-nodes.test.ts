import { describe, expect, it } from 'vitest';
import type { AgentView } from '../calls/agents/agent-view.ts';
import { type CallControl, TelephonesUnavailable } from '../calls/control/call-control.ts';
import { AllNodes } from './all-nodes.ts';
import type { NodeClient } from './node-client.ts';
import type { NodeQuestion } from './node-question.ts';
import { NodeServer } from './node-server.ts';
import type { Peer, Peers } from './peers.ts';

const NONE: Partial<CallControl> = {
  callsOf: async () => ({ calls: [], unanswered: [] }),
  hangUp: async () => false,
  transfer: async () => 'unknown',
  consult: async () => 'unknown',
  listenIn: async () => 'unknown',
  clickToCall: async () => ({ refused: 'agent-unreachable' }),
  phonesOf: async () => [],
  trunkState: async () => null,
  touch: () => undefined,
};

const phone = (contact: string, reachable: boolean) => ({
  contact,
  reachable,
  answers: reachable,
  userAgent: '',
  expiresAtMs: 0,
  address: '192.0.2.1',
});

const call = (id: string) => ({ id, state: 'menu', node: null, agent: null }) as const;

/** Node a, and others by id. Null: it does not answer; off: it has no telephones. */
function openNodes(
  own: Partial<CallControl> | null,
  others: Record<string, Partial<CallControl> | 'off' | null>,
) {
  const asked: string[] = [];
  const peers = Object.keys(others).map((id) => ({ id, run: id, url: '' }));
  const ask = async ({ id }: Peer, question: NodeQuestion): Promise<unknown> => {
    asked.push(`${id} ${question.op}`);
    const side = others[id];
    if (!side) throw new TelephonesUnavailable(id);
    const there = side === 'off' ? null : ({ ...NONE, ...side } as CallControl);
    const server = new NodeServer({
      soundPart: async () => null,
      machine: () => Promise.reject(new Error('not asked here')),
      own: () => there,
      isDraining: () => false,
    });
    const answer = await server.answer('a', question);
    server.close();
    return JSON.parse(JSON.stringify(answer ?? null));
  };
  const nodes = new AllNodes({
    own: () => own && ({ ...NONE, ...own } as CallControl),
    id: 'a',
    others: {
      peers: { live: peers, onChange: () => () => undefined } as unknown as Peers,
      client: { ask } as unknown as NodeClient,
    },
  });
  return { all: nodes.control, nodes, asked };
}

describe('the telephone side of all nodes', () => {
  it('lists the calls of all, oldest first, with their nodes, and names those that are silent', async () => {
    const { all } = openNodes(
      { callsOf: async () => ({ calls: [call('2')], unanswered: [] }) },
      { b: { callsOf: async () => ({ calls: [call('1'), call('3')], unanswered: [] }) }, c: null },
    );
    const { calls, unanswered } = await all.callsOf({ account: 'acme' });
    expect(calls.map(({ id, node_id }) => `${id} ${node_id}`)).toEqual(['1 b', '2 a', '3 b']);
    expect(unanswered).toEqual(['c']);
  });

  it('does not vouch for an agent who is free while a node is silent that may have a call of theirs', async () => {
    const agent = (eid: string, state: AgentView['state']): AgentView => ({
      eid,
      state,
      sinceMs: null,
      paused: null,
      signedOut: [],
      phones: { registered: 1, reachable: 1, goneAtMs: null },
    });
    const both = async () => [agent('1', 'free'), agent('2', 'free')];
    const there = { agentsOf: async () => [agent('1', 'free'), agent('2', 'talking')] };
    const seen = async (others: Parameters<typeof openNodes>[1]) =>
      (await openNodes({ agentsOf: both }, others).all.agentsOf({ account: 'acme', eids: null })).map(
        ({ eid, state, isUncertain = false }) => [eid, state, isUncertain],
      );
    expect(await seen({ b: there })).toEqual([
      ['1', 'free', false],
      ['2', 'talking', false],
    ]);
    expect(await seen({ b: there, c: null })).toEqual([
      ['1', 'free', true],
      ['2', 'talking', false],
    ]);
  });

  it('gives a command to the node that has the call, and does not ask others for an own call', async () => {
    const own = openNodes({ hangUp: async () => true }, { b: {} });
    expect(await own.all.hangUp({ account: 'acme', id: '1' })).toBe(true);
    expect(own.asked).toEqual([]);
    // A silent node does not matter when another one has the call.
    const there = openNodes({}, { b: { transfer: async () => 'not-connected' }, c: null });
    const by = { kind: 'operator', id: 't', name: 't' } as const;
    expect(await there.all.transfer({ account: 'acme', id: '1', party: 'called', to: 'ivr||main', by })).toBe(
      'not-connected',
    );
    const consulted = openNodes({}, { b: { consult: async () => ({ id: '2' }) }, c: null });
    expect(
      await consulted.all.consult({ account: 'acme', id: '1', order: { kind: 'complete' }, by }),
    ).toEqual({ id: '2' });
    const nowhere = openNodes({}, { b: {}, c: {} });
    const order = { kind: 'begin', party: 'caller', to: 'ivr||main' } as const;
    expect(await nowhere.all.consult({ account: 'acme', id: '1', order, by })).toBe('unknown');
  });

  it('says that it does not know when no node has the call and one is silent', async () => {
    const whole = openNodes({}, { b: {}, c: {} });
    expect(await whole.all.hangUp({ account: 'acme', id: '1' })).toBe(false);
    expect(await whole.all.listenIn({ account: 'acme', id: '1', eid: '9', mode: 'barge' })).toBe('unknown');
    const partial = openNodes({}, { b: {}, c: null });
    await expect(partial.all.hangUp({ account: 'acme', id: '1' })).rejects.toThrow('Node c does not answer');
    await expect(partial.all.listenIn({ account: 'acme', id: '1', eid: '9', mode: 'barge' })).rejects.toThrow(
      TelephonesUnavailable,
    );
  });

  it('rings an agent by one node: this one if it can, otherwise one that reaches the phone', async () => {
    const click = { id: '1', eid: '9', number: '100' };
    const here = openNodes({ clickToCall: async () => null }, { b: {} });
    expect(await here.all.clickToCall({ account: 'acme', ...click })).toBeNull();
    expect(here.asked).toEqual([]);
    const rings = { phonesOf: async () => [phone('x', true)], clickToCall: async () => null };
    const there = openNodes({}, { b: {}, c: rings, d: rings });
    expect(await there.all.clickToCall({ account: 'acme', ...click })).toBeNull();
    expect(there.asked.filter((one) => one.endsWith('clickToCall'))).toEqual(['c clickToCall']);
    const busy = openNodes({ clickToCall: async () => ({ refused: 'agent-busy' }) }, { b: rings });
    expect(await busy.all.clickToCall({ account: 'acme', ...click })).toEqual({ refused: 'agent-busy' });
    expect(await openNodes({}, { b: {} }).all.clickToCall({ account: 'acme', ...click })).toEqual({
      refused: 'agent-unreachable',
    });
    await expect(openNodes({}, { b: null }).all.clickToCall({ account: 'acme', ...click })).rejects.toThrow(
      TelephonesUnavailable,
    );
  });

  it('shows a phone once, and as reachable when any node reaches it', async () => {
    const { all } = openNodes(
      { phonesOf: async () => [phone('x', false)] },
      { b: { phonesOf: async () => [phone('x', true), phone('y', false)] }, c: null },
    );
    expect(await all.phonesOf({ account: 'acme', eid: '9' })).toEqual([phone('x', true), phone('y', false)]);
  });

  it('adds up the calls of a trunk, and says whether a node is registered', async () => {
    const state = (registered: boolean | null, calls: number, problem: string | null = null) => ({
      trunkState: async () => ({
        registered,
        calls,
        problem,
        registered_by: null,
        unused_addresses: [],
        reachable: null,
        hosts: [],
      }),
    });
    const { all } = openNodes(state(null, 1), { b: state(true, 2), c: state(false, 4, 'refused') });
    expect(await all.trunkState({ account: 'acme', id: 't' })).toMatchObject({
      registered: true,
      calls: 7,
      problem: null,
    });
    const failing = openNodes(state(null, 1), { c: state(false, 4, 'refused') });
    expect(await failing.all.trunkState({ account: 'acme', id: 't' })).toMatchObject({
      registered: false,
      problem: 'refused',
    });
  });

  it('looks for a room at all nodes, and takes silence for an empty one; to change it, all must answer', async () => {
    const room = { locked: false, recording: false, participants: [] };
    const about = { account: 'acme', id: 'r' };
    const empty = { roomOf: async () => null, changeRoom: async () => 'empty' as const };
    const there = openNodes(empty, { b: { ...empty, roomOf: async () => room }, c: null });
    expect(await there.all.roomOf(about)).toEqual(room);
    const nowhere = openNodes(empty, { b: empty, c: null });
    expect(await nowhere.all.roomOf(about)).toBeNull();
    await expect(nowhere.all.changeRoom({ ...about, do: 'lock', call: null })).rejects.toThrow('Node c');
  });

  it('ends a wrap-up at every node, and says that it does not know when one is silent', async () => {
    const ended: string[] = [];
    const at = (node: string) => ({
      endWrapUp: async ({ eid }: { eid: string }) => {
        ended.push(`${node} ${eid}`);
        return null;
      },
    });
    const agent = { account: 'acme', eid: '9' };
    await openNodes(at('a'), { b: at('b'), c: at('c') }).all.endWrapUp(agent);
    expect(ended.sort()).toEqual(['a 9', 'b 9', 'c 9']);
    await expect(openNodes(at('a'), { b: null }).all.endWrapUp(agent)).rejects.toThrow('Node b');
  });

  it('stores the presence of an agent by its own telephones alone', async () => {
    const change = { account: 'acme', eid: '9', change: { type: 'resume' } } as const;
    const own = openNodes({ changePresence: async () => null }, { b: {} });
    expect(await own.all.changePresence(change)).toBeNull();
    expect(own.asked).toEqual([]);
    await expect(openNodes(null, { b: {} }).all.changePresence(change)).rejects.toThrow('Node a');
  });

  it('asks the first node with telephones for a queue', async () => {
    const queue = { waiting: [], placeMs: 1, states: ['free' as const] };
    const asked = { account: 'acme', department: 'department||d', eids: ['9'] };
    const there = openNodes(null, { b: 'off', c: { queueOf: async () => queue } });
    expect(await there.all.queueOf(asked)).toEqual(queue);
    const nowhere = { waiting: [], placeMs: null, states: ['away'] };
    expect(await openNodes(null, { b: 'off' }).all.queueOf(asked)).toEqual(nowhere);
  });

  it('places a call by the first node with telephones: one without would say that it rings', async () => {
    const placed: string[] = [];
    const side = {
      placeCall: async ({ number }: { number: string }) => {
        placed.push(number);
        return null;
      },
    };
    const asked = { account: 'acme', id: '1', number: '7', destination: 'ivr||main', variables: {} };
    expect(await openNodes(null, { b: 'off', c: side, d: side }).all.placeCall(asked)).toBeNull();
    expect(placed).toEqual(['7']);
    const nowhere = openNodes(null, { b: 'off' });
    expect(await nowhere.all.placeCall(asked)).toEqual({ refused: 'number-unreachable' });
    await expect(openNodes(null, { b: 'off', c: null }).all.placeCall(asked)).rejects.toThrow('Node c');
  });

  it('without telephones of its own shows and commands those of others', async () => {
    const { all, nodes } = openNodes(null, { b: { hangUp: async () => true } });
    expect(nodes.hasTelephones).toBe(true);
    expect(await all.hangUp({ account: 'acme', id: '1' })).toBe(true);
    expect(await all.report()).toBeNull();
    expect(openNodes(null, {}).nodes.hasTelephones).toBe(false);
  });
});
