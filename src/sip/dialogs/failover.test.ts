import { describe, expect, it } from 'vitest';
import type { FakeTransactions } from '../testing/fake-transactions.ts';
import { settle, TestBed } from '../testing/test-bed.ts';

const ANSWER = { body: Buffer.from('answer') };

const trunk = { uri: 'sip:5551234@trunk.example', host: 'trunk.example', port: 0, protocol: 'udp' } as const;

describe('several ways to a target (RFC 3263 §4.3)', () => {
  const ways = [
    { protocol: 'udp', address: '203.0.113.1', port: 5060 },
    { protocol: 'udp', address: '203.0.113.2', port: 5060 },
  ] as const;

  it('are not tried any more once the peer has rung', async () => {
    const bed = new TestBed();
    bed.destinations = ways;
    const { listener } = bed.call({ target: trunk });
    await settle();
    bed.transactions.last.answer(180);
    bed.transactions.last.events.failed('transport');
    await settle();
    expect(bed.transactions.sent.length).toBe(1);
    expect(listener.log).toEqual(['progressed 180', 'ended by network 503 null']);
    expect(bed.agent.sessions).toBe(0);
  });

  it('are tried one after the other on 503, silence and a broken network', async () => {
    const bed = new TestBed();
    bed.destinations = ways;
    const { listener } = bed.call({ target: trunk });
    await settle();
    expect(addresses(bed.transactions)).toEqual(['203.0.113.1']);
    bed.transactions.last.answer(503);
    await settle();
    expect(addresses(bed.transactions)).toEqual(['203.0.113.1', '203.0.113.2']);
    bed.transactions.last.events.failed('transport');
    await settle();
    expect(listener.log).toEqual(['ended by network 503 null']);
    expect(bed.agent.sessions).toBe(0);
  });

  it('are passed over after 4 s without one response, and a late answer is ended', async () => {
    const bed = new TestBed();
    bed.destinations = ways;
    const { listener } = bed.call({ target: trunk });
    await settle();
    const first = bed.transactions.last;
    bed.timers.advance(3_900);
    await settle();
    expect(addresses(bed.transactions)).toEqual(['203.0.113.1']);
    bed.timers.advance(200);
    await settle();
    expect(addresses(bed.transactions)).toEqual(['203.0.113.1', '203.0.113.2']);
    expect(first.cancelled).not.toBeNull();
    first.answer(180);
    expect(listener.log).toEqual([]);
    const second = bed.transactions.last;
    first.answer(200, { ...ANSWER, toTag: 'late' });
    await settle();
    expect(bed.transactions.acks).toHaveLength(1);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'INVITE', 'BYE']);
    second.answer(200, ANSWER);
    expect(listener.log).toEqual(['answered answer']);
  });

  it('are not passed over once one said anything, nor after a phone rang', async () => {
    const bed = new TestBed();
    bed.destinations = ways;
    const trying = bed.call({ target: trunk });
    await settle();
    bed.transactions.last.isSilent = false;
    bed.timers.advance(20_000);
    await settle();
    expect(addresses(bed.transactions)).toEqual(['203.0.113.1']);
    bed.transactions.last.answer(180);
    bed.transactions.last.answer(503);
    await settle();
    expect(addresses(bed.transactions)).toEqual(['203.0.113.1']);
    expect(trying.listener.log).toEqual(['progressed 180', 'ended by peer 503 null']);
  });

  it('are followed by those of backup hosts; the ones that are down come last', async () => {
    const bed = new TestBed({
      resolve: async (protocol, host) => [
        { protocol, address: host === 'b.example' ? '203.0.113.8' : '203.0.113.7', port: 5060 },
      ],
    });
    const backups = [{ host: 'b.example', port: 0 }];
    bed.call({ target: { ...trunk, backups, isDown: ({ address }) => address === '203.0.113.7' } });
    await settle();
    bed.transactions.last.answer(503);
    await settle();
    expect(addresses(bed.transactions)).toEqual(['203.0.113.8', '203.0.113.7']);
  });

  it('that are proxies get a Route, and the Request-URI stays', async () => {
    const bed = new TestBed();
    bed.destinations = ways;
    bed.call({ target: { ...trunk, host: 'proxy.example', isProxy: true } });
    await settle();
    expect(bed.transactions.last.header('route')).toBe('<sip:proxy.example;lr>');
    expect(bed.transactions.last.request.uri).toBe(trunk.uri);
  });

  it('a refusal of the callee ends the search', async () => {
    const bed = new TestBed();
    bed.destinations = ways;
    const { listener } = bed.call({ target: trunk });
    await settle();
    bed.transactions.last.answer(486);
    await settle();
    expect(bed.transactions.sent.length).toBe(1);
    expect(listener.log).toEqual(['ended by peer 486 null']);
  });

  it('a name that nobody knows ends the call', async () => {
    const bed = new TestBed();
    const { listener } = bed.call({ target: trunk });
    await settle();
    expect(listener.log).toEqual(['ended by network 503 null']);
  });

  it('hung up while the name is looked up: nothing is ever sent', async () => {
    const bed = new TestBed();
    bed.destinations = ways;
    const { session, listener } = bed.call({ target: trunk });
    session.hangUp();
    await settle();
    expect(bed.transactions.sent).toEqual([]);
    expect(listener.log).toEqual(['ended by us 487 null']);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });
});

const addresses = (transactions: FakeTransactions): string[] =>
  transactions.sent.map(({ flow }) => flow.remote.address);

describe('a trunk behind NAT within one private network', () => {
  const inside = { uri: 'sip:1@10.1.0.5', host: '10.1.0.5', port: 5060, protocol: 'udp' } as const;
  const answer = async (contact: string, headers: readonly (readonly [string, string])[] = []) => {
    const bed = new TestBed();
    const { session } = bed.call({ target: inside });
    await settle();
    const invite = bed.transactions.last;
    const repeat = async (): Promise<string | undefined> => {
      invite.answer(200, { ...ANSWER, toTag: 'b', headers: [['contact', contact], ...headers] });
      await settle();
      return bed.transactions.acks.at(-1)?.flow.remote.address;
    };
    const acks = [await repeat(), await repeat(), await repeat(), await repeat()];
    session.hangUp();
    await settle();
    return [...acks, bed.transactions.last.flow.remote.address];
  };

  it('is reached where it answered, once it shows that ACKs to its Contact do not arrive', async () => {
    const [named, seen] = ['10.2.0.9', '10.1.0.5'];
    expect(await answer('<sip:pbx@10.2.0.9>')).toEqual([named, named, seen, seen, seen]);
  });

  it('is reached at its Contact or by its proxy where these are no private addresses', async () => {
    const outside = '203.0.113.7';
    expect(await answer('<sip:pbx@203.0.113.7>')).toEqual(Array(5).fill(outside));
    const routes = [['record-route', '<sip:10.3.0.1;lr>']] as const;
    expect(await answer('<sip:pbx@10.2.0.9>', routes)).toEqual(Array(5).fill('10.3.0.1'));
  });
});
