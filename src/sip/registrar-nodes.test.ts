// What the registrar does with phones that another node pings.
import { describe, expect, it, vi } from 'vitest';
import type { EarlierBinding } from './bindings.ts';
import { Registrar, type RegistrarOptions } from './registrar.ts';
import { FakeTransactions } from './testing/fake-transactions.ts';
import { FakeTransports, PEER_FLOW, write } from './testing/test-bed.ts';
import { VirtualTimers } from './testing/virtual-timers.ts';

const EDGE = '<sip:192.0.2.5;lr>';
const EDGE_FLOW = { ...PEER_FLOW, peer: { address: '203.0.113.9', port: 4000 } };
const path = [{ display: '', uri: 'sip:192.0.2.5;lr', params: new Map() }];

const known = (changes: Partial<EarlierBinding> = {}): EarlierBinding => ({
  id: 'one',
  key: 'a@203.0.113.9:0;',
  contact: 'sip:a@203.0.113.9',
  flow: EDGE_FLOW,
  path,
  q: 1,
  expiresAt: 300_000,
  userAgent: '',
  instance: '',
  reachable: true,
  answers: true,
  node: 'other',
  callId: 'there',
  cseq: 7,
  ...changes,
});

function bed(options: Partial<RegistrarOptions> = {}) {
  const timers = new VirtualTimers();
  const transactions = new FakeTransactions();
  const transports = new FakeTransports();
  const changed = vi.fn();
  const removed = vi.fn();
  const registrar = new Registrar({
    timers,
    transactions,
    transports,
    random: () => 0.5,
    pingMs: 30_000,
    changed,
    removed,
    graceMs: 5_000,
    ...options,
  });
  const register = (seq: number, expires = 300, callId = 'there') =>
    registrar.register(
      write('REGISTER', {
        seq,
        callId,
        headers: ['Contact: <sip:a@203.0.113.9>', `Expires: ${expires}`, `Path: ${EDGE}`],
      }),
      EDGE_FLOW,
      'one',
    ).status;
  const pings = (): number => transactions.sent.length;
  return { timers, transactions, registrar, register, pings, changed, removed };
}

describe('phones of other nodes', () => {
  it('are rung, and pinged by their own node alone; it alone reports that they expired', () => {
    const { timers, registrar, pings, removed } = bed();
    registrar.learn(known());
    expect(registrar.bindingsOf('one')).toMatchObject([{ reachable: true, node: 'other' }]);
    timers.advance(120_000);
    expect(pings()).toBe(0);
    timers.advance(180_000);
    expect(registrar.bindingsOf('one')).toHaveLength(1);
    timers.advance(6_000);
    expect(registrar.bindingsOf('one')).toEqual([]);
    expect(removed).not.toHaveBeenCalled();
  });

  it('are not taken up in the moment in which they expire', () => {
    const { timers, registrar } = bed();
    timers.advance(299_999);
    expect(registrar.learn(known())).not.toBeNull();
    timers.advance(1);
    expect(registrar.learn(known({ id: 'two' }))).toBeNull();
  });

  it('refresh at any node behind an edge, in the order of their CSeq, and the other node goes on pinging', () => {
    const { timers, registrar, register, pings, changed } = bed();
    registrar.learn(known());
    expect(register(7)).toBe(500);
    expect(register(8, 600)).toBe(200);
    expect(changed.mock.calls[0]?.[0]).toMatchObject({ node: 'other', cseq: 8, callId: 'there' });
    // What was stored before the refresh is read late.
    registrar.learn(known());
    timers.advance(400_000);
    expect([registrar.bindingsOf('one').length, pings()]).toEqual([1, 0]);
  });

  it('unregister at any node, with the CSeq that did it', () => {
    const { registrar, register, removed } = bed();
    registrar.learn(known());
    expect(register(9, 0)).toBe(200);
    expect(registrar.bindingsOf('one')).toEqual([]);
    expect(removed.mock.calls[0]?.[0]).toMatchObject({ callId: 'there', cseq: 9 });
    registrar.learn(known());
    registrar.forget('one', 'a@203.0.113.9:0;');
    expect(registrar.bindingsOf('one')).toEqual([]);
    expect(removed).toHaveBeenCalledOnce();
  });

  it('without an edge belong to the node where they register', () => {
    const { registrar, changed, timers, pings } = bed();
    registrar.learn(known({ path: [], flow: PEER_FLOW, reachable: false }));
    expect(registrar.bindingsOf('one')).toMatchObject([{ reachable: false }]);
    const request = write('REGISTER', { seq: 8, callId: 'there', headers: ['Contact: <sip:a@203.0.113.9>'] });
    expect(registrar.register(request, PEER_FLOW, 'one').status).toBe(200);
    expect(changed.mock.calls[0]?.[0]).toMatchObject({ node: null, reachable: true });
    timers.advance(40_000);
    expect(pings()).toBe(1);
  });

  it('are asked once where no NAT is between, and rung when they answer from here', () => {
    const { registrar, timers, transactions } = bed();
    const { address, port } = PEER_FLOW.remote;
    const contact = `sip:a@${address}:${port}`;
    registrar.learn(known({ path: [], flow: PEER_FLOW, contact, reachable: false }));
    timers.advance(1);
    expect(transactions.sent.map(({ request }) => request.method)).toEqual(['OPTIONS']);
    expect(registrar.bindingsOf('one')[0]?.reachable).toBe(false);
    transactions.last.answer(200);
    expect(registrar.bindingsOf('one')[0]?.reachable).toBe(true);
    timers.advance(120_000);
    expect(transactions.sent).toHaveLength(1);
  });

  it('are asked again when their node reaches them again, or they refresh', () => {
    const { registrar, timers, transactions } = bed();
    const { address, port } = PEER_FLOW.remote;
    const direct = { path: [], flow: PEER_FLOW, contact: `sip:a@${address}:${port}`, reachable: false };
    const learn = (changes: Partial<EarlierBinding>): void => {
      registrar.learn(known({ ...direct, ...changes }));
      timers.advance(1);
    };
    learn({});
    transactions.last.answer(200);
    learn({ answers: false, cseq: 8 });
    expect(registrar.bindingsOf('one')[0]?.reachable).toBe(false);
    learn({ cseq: 9 });
    expect(transactions.sent).toHaveLength(2);
    timers.advance(10_000);
    expect(registrar.bindingsOf('one')[0]?.reachable).toBe(false);
    learn({ cseq: 10 });
    transactions.last.answer(200);
    expect(registrar.bindingsOf('one')[0]?.reachable).toBe(true);
    learn({ cseq: 11 });
    expect(transactions.sent).toHaveLength(3);
  });

  it('that answered this node are rung while a third one takes them over', () => {
    const { registrar, timers, transactions } = bed();
    const { address, port } = PEER_FLOW.remote;
    const direct = { path: [], flow: PEER_FLOW, contact: `sip:a@${address}:${port}`, reachable: false };
    registrar.learn(known(direct));
    timers.advance(1);
    transactions.last.answer(200);
    registrar.learn(known({ ...direct, node: 'third' }));
    expect(registrar.bindingsOf('one')).toMatchObject([{ reachable: true, node: 'third' }]);
  });

  it('are pinged here when their node is gone', () => {
    const { registrar, timers, pings } = bed();
    registrar.learn(known());
    registrar.learn(known({ node: null }));
    timers.advance(40_000);
    expect(pings()).toBeGreaterThan(0);
  });

  it('count towards what an agent may have', () => {
    const { registrar, register, removed } = bed({ contactsPerId: 2 });
    registrar.learn(known({ key: 'x', expiresAt: 100_000 }));
    registrar.learn(known({ key: 'y' }));
    expect(register(1, 300, 'here')).toBe(200);
    expect(registrar.bindingsOf('one')).toHaveLength(2);
    expect(removed.mock.calls[0]?.[0]).toMatchObject({ key: 'x' });
  });
});
