import { describe, expect, it, vi } from 'vitest';
import { type EarlierBinding, LOST_CONNECTION } from './bindings.ts';
import { Registrar, type RegistrarOptions } from './registrar.ts';
import { FakeTransactions } from './testing/fake-transactions.ts';
import { FakeTransports, PEER_FLOW, type Writing, write } from './testing/test-bed.ts';
import { VirtualTimers } from './testing/virtual-timers.ts';
import type { Reply } from './transactions/transactions.ts';
import type { TransportFlow } from './transports/transport.ts';

const TCP_FLOW = { ...PEER_FLOW, protocol: 'tcp', connection: 5 } as const;

class Bed {
  readonly timers = new VirtualTimers();
  readonly transactions = new FakeTransactions();
  readonly transports = new FakeTransports();
  readonly registrar: Registrar;
  #seq = 0;

  constructor(options: Partial<RegistrarOptions> = {}) {
    const { timers, transactions, transports } = this;
    this.registrar = new Registrar({
      timers,
      transactions,
      transports,
      random: () => 0.5,
      pingMs: 0,
      ...options,
    });
  }

  register(headers: readonly string[], writing: Writing & { flow?: TransportFlow } = {}, id = 'one'): Reply {
    const { flow = PEER_FLOW, ...rest } = writing;
    const request = write('REGISTER', { seq: ++this.#seq, headers, ...rest });
    return this.registrar.register(request, flow, id);
  }

  contacts(id = 'one'): string[] {
    return this.registrar.bindingsOf(id).map(({ contact }) => contact);
  }
}

const contactsIn = (reply: Reply): string[] =>
  (reply.headers ?? []).filter(([name]) => name === 'contact').map(([, value]) => value);

describe('the registrar', () => {
  it('removes nothing for a * that comes late (RFC 3261 §10.3)', () => {
    const bed = new Bed();
    bed.register(['Contact: <sip:a@192.0.2.9:5060>'], { seq: 5 });
    expect(bed.register(['Contact: *', 'Expires: 0'], { seq: 4 }).status).toBe(500);
    expect(bed.contacts()).toEqual(['sip:a@192.0.2.9:5060']);
    expect(bed.register(['Contact: *', 'Expires: 0'], { seq: 6 }).status).toBe(200);
    expect(bed.contacts()).toEqual([]);
  });

  it('takes a q from 0 to 1, and 1 for any other', () => {
    const bed = new Bed({ contactsPerId: 9 });
    const wishes = ['0', '0.5', '1', '1.5', '-1', 'x'];
    for (const [index, q] of wishes.entries()) bed.register([`Contact: <sip:${index}@192.0.2.9>;q=${q}`]);
    const kept = new Map(bed.registrar.bindingsOf('one').map((binding) => [binding.contact, binding.q]));
    expect(wishes.map((_, index) => kept.get(`sip:${index}@192.0.2.9`))).toEqual([0, 0.5, 1, 1, 1, 1]);
  });

  it('makes room for a new contact by the one that expires first, not by the oldest', () => {
    const bed = new Bed({ contactsPerId: 2 });
    bed.register(['Contact: <sip:a@192.0.2.9:1>', 'Expires: 600']);
    bed.register(['Contact: <sip:b@192.0.2.9:2>', 'Expires: 300']);
    bed.register(['Contact: <sip:c@192.0.2.9:3>', 'Expires: 600']);
    expect(bed.contacts().toSorted()).toEqual(['sip:a@192.0.2.9:1', 'sip:c@192.0.2.9:3']);
  });

  it('keeps several contacts under one id, best first, and lists them with the time they have left', () => {
    const bed = new Bed();
    bed.register(['Contact: <sip:a@192.0.2.9:5060>;q=0.3', 'Expires: 600']);
    bed.timers.advance(100_000);
    const reply = bed.register(['Contact: <sip:b@192.0.2.9:5070>;expires=300', 'Expires: 600']);
    expect(reply.status).toBe(200);
    expect(contactsIn(reply)).toEqual([
      '<sip:a@192.0.2.9:5060>;expires=500',
      '<sip:b@192.0.2.9:5070>;expires=300',
    ]);
    expect(bed.contacts()).toEqual(['sip:b@192.0.2.9:5070', 'sip:a@192.0.2.9:5060']);
    expect(bed.contacts('two')).toEqual([]);
  });

  it('a query without a Contact changes nothing', () => {
    const bed = new Bed();
    bed.register(['Contact: <sip:a@192.0.2.9>']);
    // The test bed would add a Contact of its own; an empty list is what a query has.
    const query = write('REGISTER', { seq: 9 });
    const bare = { ...query, headers: query.headers.filter(([name]) => name !== 'contact') };
    expect(contactsIn(bed.registrar.register(bare, PEER_FLOW, 'one'))).toEqual([
      '<sip:a@192.0.2.9>;expires=3600',
    ]);
  });

  it('forgets a binding when its time is over, on the monotonic clock', () => {
    const bed = new Bed();
    bed.register(['Contact: <sip:a@192.0.2.9>', 'Expires: 60']);
    bed.timers.advance(59_000);
    expect(bed.contacts().length).toBe(1);
    bed.register(['Contact: <sip:a@192.0.2.9>', 'Expires: 60']);
    bed.timers.advance(59_000);
    expect(bed.contacts().length).toBe(1);
    bed.timers.advance(2_000);
    expect(bed.contacts()).toEqual([]);
    expect(bed.timers.count).toBe(0);
  });

  it('refuses a time too short with 423 and Min-Expires, and cuts one too long', () => {
    const bed = new Bed();
    const short = bed.register(['Contact: <sip:a@192.0.2.9>', 'Expires: 5']);
    expect(short.status).toBe(423);
    expect(short.headers?.[0]).toEqual(['min-expires', '60']);
    const long = bed.register(['Contact: <sip:a@192.0.2.9>;expires=999999']);
    expect(contactsIn(long)).toEqual(['<sip:a@192.0.2.9>;expires=3600']);
  });

  it('removes one contact with 0, all with *, and * only with 0', () => {
    const bed = new Bed();
    bed.register(['Contact: <sip:a@192.0.2.9>, <sip:b@192.0.2.9>']);
    expect(bed.contacts().length).toBe(2);
    bed.register(['Contact: <sip:a@192.0.2.9>;expires=0']);
    expect(bed.contacts()).toEqual(['sip:b@192.0.2.9']);
    expect(bed.register(['Contact: *']).status).toBe(400);
    expect(bed.register(['Contact: *', 'Expires: 60']).status).toBe(400);
    expect(bed.contacts().length).toBe(1);
    expect(bed.register(['Contact: *', 'Expires: 0']).status).toBe(200);
    expect(bed.contacts()).toEqual([]);
    expect(bed.timers.count).toBe(0);
  });

  it('a REGISTER that comes out of order within its Call-ID changes nothing', () => {
    const bed = new Bed();
    bed.register(['Contact: <sip:a@192.0.2.9>'], { seq: 7 });
    expect(bed.register(['Contact: <sip:a@192.0.2.9>;expires=0'], { seq: 6 }).status).toBe(500);
    expect(bed.contacts().length).toBe(1);
    const restarted = { seq: 1, callId: 'after-a-restart' };
    expect(bed.register(['Contact: <sip:a@192.0.2.9>;expires=0'], restarted).status).toBe(200);
    expect(bed.contacts()).toEqual([]);
  });

  it('refuses a Contact or an instance that is too long to be stored', () => {
    const bed = new Bed();
    const long = 'x'.repeat(513);
    for (const contact of [
      `<sip:a@192.0.2.9>;+sip.instance="<${long}>"`,
      `<sip:a@192.0.2.9>;+sip.instance="<urn:x>";reg-id=${long}`,
      `<sip:${long}@192.0.2.9>`,
      `<sip:a@192.0.2.9;push=${long}${long}>`,
    ])
      expect(bed.register([`Contact: ${contact}`])).toMatchObject({
        status: 400,
        reason: 'Contact too long',
      });
    expect(bed.registrar.count).toBe(0);
    // A device that is woken by push messages names a token of hundreds of characters.
    const push = `<sip:a@192.0.2.9;pn-prid=${'x'.repeat(800)}>;+sip.instance="<${'y'.repeat(500)}>"`;
    expect(bed.register([`Contact: ${push}`]).status).toBe(200);
  });

  it('all contacts of a REGISTER are taken, or none', () => {
    const bed = new Bed();
    expect(bed.register(['Contact: <sip:a@192.0.2.9>, <sip:b@192.0.2.9>;expires=5']).status).toBe(423);
    expect(bed.register(['Contact: <sip:a@192.0.2.9>, <tel:+1>']).status).toBe(400);
    expect(bed.contacts()).toEqual([]);
  });

  it('has room for ten contacts per id, the newest, and for so many in all', () => {
    const bed = new Bed({ maxBindings: 12 });
    for (let phone = 0; phone < 10; phone++) {
      expect(bed.register([`Contact: <sip:a@192.0.2.9:${6000 + phone}>`]).status).toBe(200);
    }
    expect(bed.register(['Contact: <sip:a@192.0.2.9:7000>']).status).toBe(200);
    expect(bed.contacts()).toHaveLength(10);
    expect(bed.contacts().join(' ')).not.toContain(':6000');
    expect(bed.contacts().join(' ')).toContain(':7000');
    const eleven = Array.from({ length: 11 }, (_, phone) => `<sip:b@192.0.2.9:${8000 + phone}>`).join(', ');
    expect(bed.register([`Contact: ${eleven}`]).status).toBe(403);
    expect(bed.register(['Contact: <sip:1@x>, <sip:2@x>, <sip:3@x>'], {}, 'two').status).toBe(503);
    expect(bed.registrar.count).toBe(10);
  });

  it('remembers the flow, follows the phone to a new one, and forgets it with its connection', () => {
    const bed = new Bed();
    const instance = '+sip.instance="<urn:uuid:1>";reg-id=1';
    bed.register([`Contact: <sip:a@192.0.2.9:1>;${instance}`]);
    expect(bed.registrar.bindingsOf('one')[0]?.flow).toBe(PEER_FLOW);
    const request = write('REGISTER', { seq: 50, headers: [`Contact: <sip:a@192.0.2.9:2>;${instance}`] });
    bed.registrar.register(request, TCP_FLOW, 'one');
    expect(bed.contacts()).toEqual(['sip:a@192.0.2.9:2']);
    expect(bed.registrar.bindingsOf('one')[0]?.flow).toBe(TCP_FLOW);
    bed.registrar.flowClosed({ ...TCP_FLOW, connection: 6 });
    expect(bed.registrar.count).toBe(1);
    bed.registrar.flowClosed(TCP_FLOW);
    expect(bed.registrar.count).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('keeps the Path of any phone, and shows it to one that supports it (RFC 3327)', () => {
    const bed = new Bed();
    const path = 'Path: <sip:edge1.example;lr>, <sip:edge2.example;lr>';
    const silent = bed.register(['Contact: <sip:a@10.0.0.1>', path]);
    expect(silent.status).toBe(200);
    expect(silent.headers?.filter(([name]) => name === 'path')).toEqual([]);
    expect(bed.registrar.bindingsOf('one')[0]?.path.length).toBe(2);
    const reply = bed.register(['Contact: <sip:a@10.0.0.1>', path, 'Supported: path']);
    expect(reply.headers?.filter(([name]) => name === 'path').length).toBe(2);
    expect(bed.registrar.bindingsOf('one')[0]?.path.map(({ uri }) => uri)).toEqual([
      'sip:edge1.example;lr',
      'sip:edge2.example;lr',
    ]);
  });

  it('takes the Path of an edge from a phone that does not know it, and reaches the phone where the Path says', () => {
    const bed = new Bed();
    const flow = {
      ...PEER_FLOW,
      remote: { address: '10.0.0.5', port: 33_000 },
      peer: { address: '203.0.113.9', port: 40_000 },
    };
    const reply = bed.register(['Contact: <sip:a@192.168.1.5>', 'Path: <sip:10.0.0.5;lr>'], { flow });
    expect(reply.status).toBe(200);
    expect(reply.headers?.some(([name]) => name === 'path')).toBe(false);
    const [binding] = bed.registrar.bindingsOf('one');
    expect(binding?.flow.remote).toEqual({ address: '10.0.0.5', port: 5060 });
    expect(binding?.flow.peer).toEqual({ address: '203.0.113.9', port: 40_000 });
    // A Path to elsewhere is not the edge's own: the phone is reached by the edge that it came by.
    bed.register(['Contact: <sip:b@192.168.1.5>', 'Path: <sip:10.0.0.99;lr>'], { flow });
    expect(bed.registrar.bindingsOf('one')[1]?.flow.remote).toEqual(flow.remote);
  });

  it('keeps the phones of an edge whose connection broke, and reaches them by another one', async () => {
    const bed = new Bed({ pingMs: 30_000 });
    const edge = { ...TCP_FLOW, remote: { address: '10.0.0.5', port: 33_000 } };
    const flow = { ...edge, peer: { address: '203.0.113.9', port: 40_000 } };
    bed.register(['Contact: <sip:a@192.168.1.5>', 'Path: <sip:10.0.0.5;transport=tcp;lr>'], { flow });
    bed.registrar.flowClosed(edge);
    expect(bed.registrar.bindingsOf('one')).toMatchObject([{ reachable: false }]);
    bed.timers.advance(10);
    await vi.waitFor(() => expect(bed.transactions.sent.length).toBe(1));
    expect(bed.transports.asked).toEqual(['tcp:10.0.0.5:5060']);
    bed.transactions.last.answer(200);
    expect(bed.registrar.bindingsOf('one')).toMatchObject([{ reachable: true, flow: { peer: flow.peer } }]);
    bed.registrar.close();
  });

  it('close stops everything', () => {
    const bed = new Bed({ pingMs: 30_000 });
    bed.register(['Contact: <sip:a@192.0.2.9>']);
    expect(bed.timers.count).toBe(2);
    bed.registrar.close();
    expect(bed.timers.count).toBe(0);
    expect(bed.registrar.count).toBe(0);
  });
});

describe('pings', () => {
  it('keep the way to UDP phones open; after three without an answer the phone counts as unreachable', () => {
    const bed = new Bed({ pingMs: 30_000 });
    bed.register(['Contact: <sip:a@192.0.2.9>']);
    bed.register(['Contact: <sip:b@192.0.2.9>']);
    for (let turn = 1; turn <= 3; turn++) {
      bed.timers.advance(30_000);
      const [a, b] = bed.transactions.sent.slice(-2);
      expect(a?.request.method).toBe('OPTIONS');
      expect(a?.header('from')).toMatch(/^<sip:[^<>]+>;tag=\w+$/);
      expect(a?.header('to')).toBe('<sip:a@192.0.2.9>');
      expect(a?.flow).toBe(PEER_FLOW);
      a?.events.failed('timeout');
      b?.answer(404);
    }
    expect(bed.registrar.bindingsOf('one').map(({ contact, reachable }) => [contact, reachable])).toEqual([
      ['sip:b@192.0.2.9', true],
      ['sip:a@192.0.2.9', false],
    ]);
    bed.timers.advance(30_000);
    bed.transactions.sent.at(-2)?.answer(200);
    expect(bed.registrar.bindingsOf('one').every(({ reachable }) => reachable)).toBe(true);
  });

  it('a new registration makes a silent phone reachable again', () => {
    const bed = new Bed({ pingMs: 30_000 });
    bed.register(['Contact: <sip:a@192.0.2.9>']);
    for (let turn = 0; turn < 3; turn++) {
      bed.timers.advance(30_000);
      bed.transactions.last.events.failed('timeout');
    }
    expect(bed.registrar.bindingsOf('one')[0]?.reachable).toBe(false);
    bed.register(['Contact: <sip:a@192.0.2.9>']);
    expect(bed.registrar.bindingsOf('one')[0]?.reachable).toBe(true);
  });

  it('are sent on connections too, which do not tell when a cable is cut: two without an answer are enough', () => {
    const bed = new Bed({ pingMs: 30_000 });
    const request = write('REGISTER', { headers: ['Contact: <sip:a@192.0.2.9>'] });
    bed.registrar.register(request, TCP_FLOW, 'one');
    for (let turn = 0; turn < 2; turn++) {
      expect(bed.registrar.bindingsOf('one')[0]?.reachable).toBe(true);
      bed.timers.advance(30_000);
      expect(bed.transactions.last.flow).toBe(TCP_FLOW);
      bed.transactions.last.events.failed('timeout');
    }
    expect(bed.registrar.bindingsOf('one')[0]?.reachable).toBe(false);
  });
});

describe('bindings of an earlier process', () => {
  const earlier = (changes: Partial<EarlierBinding> = {}): EarlierBinding => ({
    id: 'one',
    key: 'a@192.0.2.9:0;',
    contact: 'sip:a@192.0.2.9',
    flow: PEER_FLOW,
    path: [],
    q: 1,
    expiresAt: 300_000,
    userAgent: '',
    instance: '',
    reachable: true,
    answers: true,
    node: null,
    callId: 'earlier',
    cseq: 7,
    ...changes,
  });

  it('are rung at once, and no longer when the probe is not answered within 4 s; the expired are left out', () => {
    const bed = new Bed({ pingMs: 30_000 });
    bed.registrar.restore([earlier(), earlier({ id: 'two' }), earlier({ id: 'three', expiresAt: 0 })]);
    expect(bed.registrar.count).toBe(2);
    expect(bed.registrar.bindingsOf('one')[0]?.reachable).toBe(true);
    bed.timers.advance(100);
    expect(bed.transactions.sent.map(({ request }) => request.method)).toEqual(['OPTIONS', 'OPTIONS']);
    bed.transactions.sent[1]?.answer(200);
    bed.timers.advance(4_000);
    expect(bed.registrar.bindingsOf('one')[0]?.reachable).toBe(false);
    expect(bed.registrar.bindingsOf('two')[0]?.reachable).toBe(true);
    bed.transactions.sent[0]?.answer(200);
    expect(bed.registrar.bindingsOf('one')[0]?.reachable).toBe(true);
    bed.timers.advance(300_000);
    expect(bed.registrar.count).toBe(0);
  });

  it('are probed over time, not in a burst', () => {
    const draws = Array.from({ length: 1_000 }, (_, index) => index / 1_000);
    const bed = new Bed({ pingMs: 30_000, random: () => draws.pop() ?? 0.5 });
    bed.registrar.restore(Array.from({ length: 1_000 }, (_, index) => earlier({ id: `${index}` })));
    bed.timers.advance(1_000);
    const inFirst = bed.transactions.sent.length;
    bed.timers.advance(4_000);
    expect(inFirst).toBeGreaterThan(150);
    expect(inFirst).toBeLessThan(250);
    expect(bed.transactions.sent.length).toBe(1_000);
  });

  it('obey the order of CSeq within one Call-ID (RFC 3261 §10.3)', () => {
    const bed = new Bed();
    bed.registrar.restore([earlier({ key: 'a@192.0.2.9:5060;' })]);
    const contact = 'Contact: <sip:a@192.0.2.9:5060>';
    expect(bed.register([contact], { callId: 'earlier', seq: 7 }).status).toBe(500);
    expect(bed.register([contact], { callId: 'earlier', seq: 8 }).status).toBe(200);
    expect(bed.registrar.count).toBe(1);
  });

  it('whose connection is gone are reached by a new one to the Contact, unless they are behind NAT', async () => {
    const bed = new Bed({ pingMs: 30_000 });
    const lost = { ...TCP_FLOW, remote: { address: '192.0.2.9', port: 61_000 }, connection: LOST_CONNECTION };
    const contact = 'sip:a@192.0.2.9:5090;transport=tcp';
    bed.registrar.restore([
      earlier({ flow: lost, contact, reachable: false }),
      earlier({ id: 'two', flow: lost, contact: 'sip:a@10.0.0.9:5060', reachable: false }),
      earlier({ id: 'three', flow: { ...lost, protocol: 'tls' }, contact, reachable: false }),
    ]);
    bed.timers.advance(100);
    await vi.waitFor(() => expect(bed.transactions.sent).toHaveLength(1));
    expect(bed.transports.asked).toEqual(['tcp:192.0.2.9:5090']);
    bed.transactions.last.answer(200);
    const reachable = ['one', 'two', 'three'].map((id) => bed.registrar.bindingsOf(id)[0]?.reachable);
    expect(reachable).toEqual([true, false, false]);
    expect(bed.registrar.bindingsOf('one')[0]?.flow.connection).toBe(99);
    // Nothing is sent on a connection that is gone.
    bed.timers.advance(60_000);
    expect(new Set(bed.transactions.sent.map(({ flow }) => flow.connection))).toEqual(new Set([99]));
  });

  it('report what is to be stored: changes and removals, but not the close', () => {
    const log: string[] = [];
    const bed = new Bed({
      changed: ({ key }) => log.push(`+${key}`),
      removed: ({ key }) => log.push(`-${key}`),
    });
    bed.register(['Contact: <sip:a@192.0.2.9>', 'Expires: 60']);
    bed.register(['Contact: <sip:b@192.0.2.9>', 'Expires: 600']);
    bed.timers.advance(61_000);
    bed.register(['Contact: <sip:c@192.0.2.9>']);
    bed.register(['Contact: <sip:c@192.0.2.9>;expires=0']);
    bed.registrar.close();
    const key = (user: string): string => `${user}@192.0.2.9:0;`;
    expect(log).toEqual([`+${key('a')}`, `+${key('b')}`, `-${key('a')}`, `+${key('c')}`, `-${key('c')}`]);
  });
});
