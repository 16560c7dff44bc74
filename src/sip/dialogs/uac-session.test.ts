import { describe, expect, it } from 'vitest';
import { PEER_FLOW, settle, TestBed, write } from '../testing/test-bed.ts';

const ANSWER = { body: Buffer.from('answer') };

const trunk = { uri: 'sip:5551234@trunk.example', host: 'trunk.example', port: 0, protocol: 'udp' } as const;

describe('a call of ours', () => {
  it('sends an INVITE that says who calls, and acknowledges the answer', () => {
    const bed = new TestBed();
    const { listener } = bed.call();
    const invite = bed.transactions.last;
    expect(invite.flow).toBe(PEER_FLOW);
    expect(invite.header('from')).toMatch(/^"Two Hundred" <sip:200@example\.com>;tag=/);
    expect(invite.header('contact')).toBe('<sip:192.0.2.1:5060>');
    expect(invite.header('max-forwards')).toBe('70');
    expect(invite.header('user-agent')).toBe('Dialtree');
    invite.answer(180);
    invite.answer(183, { body: Buffer.from('early') });
    invite.answer(200, ANSWER);
    expect(listener.log).toEqual(['progressed 180', 'progressed 183 early', 'answered answer']);
    const [ack] = bed.transactions.acks;
    expect(ack?.request.cseq).toEqual({ number: 1, method: 'ACK' });
    expect(ack?.request.to.params.get('tag')).toBe('peer');
  });

  it('by a proxy of ours goes to it with the address that was found as its second Route, if that is allowed', async () => {
    const bed = new TestBed();
    bed.destinations = [
      { protocol: 'udp', address: '10.9.9.9', port: 5060 },
      { protocol: 'tcp', address: '203.0.113.7', port: 5070 },
    ];
    const via = { address: '10.0.0.5', port: 5060 };
    const { session } = bed.call({
      target: { ...trunk, via, allows: (address) => address.startsWith('203.') },
    });
    await settle();
    const invite = bed.transactions.last;
    expect(invite.flow).toMatchObject({ remote: via, peer: { address: '203.0.113.7', port: 5070 } });
    expect(bed.transports.asked).toEqual(['udp:10.0.0.5:5060']);
    const routes = invite.request.headers.filter(([name]) => name === 'route').map(([, value]) => value);
    expect(routes).toEqual(['<sip:10.0.0.5:5060;lr>', '<sip:203.0.113.7:5070;transport=tcp;lr>']);
    expect(invite.request.uri).toBe(trunk.uri);
    // In the call the recorded route leads to the proxy, whatever a trunk may reach.
    invite.answer(200, { ...ANSWER, headers: [['record-route', '<sip:10.0.0.5;lr>']] });
    session.hangUp();
    expect(bed.transactions.last.request.method).toBe('BYE');
    expect(bed.transactions.last.flow.remote).toEqual(via);
  });

  it.each([
    ['the INVITE cannot be sent', [{ protocol: 'udp', address: '203.0.113.1', port: 5060 }] as const],
    ['the listener throws', [] as const],
  ])('ends alone when %s after the name was looked up', async (_, destinations) => {
    const bed = new TestBed();
    bed.destinations = destinations;
    const failure = new Error('a bug');
    bed.transactions.request = () => {
      throw failure;
    };
    const { listener } = bed.call({ target: trunk });
    if (destinations.length === 0)
      listener.ended = () => {
        throw failure;
      };
    await settle();
    expect(bed.transactions.failures).toEqual([failure]);
    expect(listener.ends).toMatchObject(destinations.length === 0 ? [] : [{ by: 'network', status: 503 }]);
    expect(bed.agent.sessions).toBe(0);
  });

  it('repeats the ACK for every repetition of the 2xx', () => {
    const bed = new TestBed();
    const { listener } = bed.call();
    bed.transactions.last.answer(200, ANSWER);
    bed.transactions.last.answer(200, ANSWER);
    bed.transactions.last.answer(200, ANSWER);
    expect(bed.transactions.acks.length).toBe(3);
    expect(listener.log).toEqual(['answered answer']);
    expect(bed.transactions.methods()).toEqual(['INVITE']);
  });

  it('without an offer of ours that does not accept the peer’s acknowledges it and hangs up', () => {
    const bed = new TestBed();
    const { listener } = bed.call({ sdp: null });
    bed.transactions.last.answer(200, { body: Buffer.from('their offer') });
    listener.answer?.(null);
    expect(bed.transactions.acks.length).toBe(1);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'BYE']);
    expect(bed.transactions.last.header('reason')).toBe('SIP;cause=488');
    expect(listener.log).toEqual(['offered their offer', 'ended by us null null']);
  });

  it('forked: the first 2xx wins, a second one is acknowledged and ended', () => {
    const bed = new TestBed();
    const { listener } = bed.call();
    const invite = bed.transactions.last;
    invite.answer(180, { toTag: 'a' });
    invite.answer(180, { toTag: 'b' });
    invite.answer(200, { ...ANSWER, toTag: 'b' });
    invite.answer(200, { ...ANSWER, toTag: 'a' });
    invite.answer(200, { ...ANSWER, toTag: 'a' });
    expect(listener.log).toEqual(['progressed 180', 'progressed 180', 'answered answer']);
    expect(bed.transactions.acks.map(({ request }) => request.to.params.get('tag'))).toEqual(['b', 'a', 'a']);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'BYE']);
    expect(bed.transactions.last.request.to.params.get('tag')).toBe('a');
    bed.transactions.last.answer(200);
    expect(bed.agent.sessions).toBe(1);
  });

  it('a 200 that crosses CANCEL is acknowledged, then ended with BYE', () => {
    const bed = new TestBed();
    const { session, listener } = bed.call();
    const invite = bed.transactions.last;
    invite.answer(180);
    const reason = 'SIP;cause=200;text="Call completed elsewhere"';
    session.hangUp(reason);
    expect(invite.cancelled).toBe(reason);
    expect(listener.log).toEqual(['progressed 180', 'ended by us 487 null']);
    invite.answer(200, ANSWER);
    expect(bed.transactions.acks.length).toBe(1);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'BYE']);
    expect(bed.transactions.last.request.cseq.number).toBe(2);
    bed.transactions.last.answer(200);
    expect(listener.log.length).toBe(2);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('hung up while it rings is CANCEL; its 487 leaves nothing', () => {
    const bed = new TestBed();
    const { session, listener } = bed.call();
    session.hangUp();
    session.hangUp();
    expect(bed.transactions.last.cancelled).toBe('');
    expect(bed.agent.sessions).toBe(1);
    bed.transactions.last.answer(487);
    expect(listener.log).toEqual(['ended by us 487 null']);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('ends by itself when nobody answers in time', () => {
    const bed = new TestBed();
    const { listener } = bed.call({ timeoutMs: 20_000 });
    bed.transactions.last.answer(180);
    bed.timers.advance(20_000);
    expect(bed.transactions.last.cancelled).toBe('');
    expect(listener.log).toEqual(['progressed 180', 'ended by timeout 408 null']);
    bed.transactions.last.answer(487);
    expect(bed.agent.sessions).toBe(0);
  });

  it('that was answered does not run into that time-out', () => {
    const bed = new TestBed();
    const { listener } = bed.call({ timeoutMs: 20_000 });
    bed.transactions.last.answer(200, ANSWER);
    bed.timers.advance(60_000);
    expect(listener.ends).toEqual([]);
  });

  it('a refusal is told with its status and cause; a redirection is not followed', () => {
    const bed = new TestBed();
    const busy = bed.call();
    bed.transactions.last.answer(486, { headers: [['reason', 'Q.850;cause=17;text="busy"']] });
    expect(busy.listener.log).toEqual(['ended by peer 486 17']);
    const moved = bed.call();
    bed.transactions.last.answer(302, { headers: [['contact', '<sip:premium@example.net>']] });
    expect(moved.listener.ends[0]?.reason).toBe('Moved Temporarily to sip:premium@example.net');
    expect(bed.transactions.methods()).toEqual(['INVITE', 'INVITE']);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('silence and a broken network are told apart', () => {
    const bed = new TestBed();
    const one = bed.call();
    bed.transactions.last.events.failed('timeout');
    const two = bed.call();
    bed.transactions.last.events.failed('transport');
    return settle().then(() => {
      expect(one.listener.log).toEqual(['ended by timeout 408 null']);
      expect(two.listener.log).toEqual(['ended by network 503 null']);
      expect(bed.agent.sessions).toBe(0);
    });
  });

  it('without an offer takes that of the 200 and answers it in the ACK', () => {
    const bed = new TestBed();
    const { listener } = bed.call({ sdp: null });
    expect(bed.transactions.last.request.body.length).toBe(0);
    expect(bed.transactions.last.header('supported')).toBe('timer, replaces');
    bed.transactions.last.answer(200, { body: Buffer.from('their offer') });
    bed.transactions.last.answer(200, { body: Buffer.from('their offer') });
    expect(bed.transactions.acks).toEqual([]);
    listener.answer?.(Buffer.from('our answer'));
    bed.transactions.last.answer(200, { body: Buffer.from('their offer') });
    expect(bed.transactions.acks.map(({ request }) => `${request.body}`)).toEqual([
      'our answer',
      'our answer',
    ]);
    expect(listener.log).toEqual(['offered their offer', 'answered their offer']);
  });

  it('hung up before its offer was answered is acknowledged, then ended', () => {
    const bed = new TestBed();
    const { session, listener } = bed.call({ sdp: null });
    bed.transactions.last.answer(200, { body: Buffer.from('their offer') });
    session.hangUp();
    listener.answer?.(Buffer.from('too late'));
    expect(bed.transactions.acks.length).toBe(1);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'BYE']);
    expect(listener.ends.length).toBe(1);
  });

  it('hides the caller when asked to (RFC 3323), and tells trusted peers (RFC 3325)', () => {
    const bed = new TestBed();
    bed.call({ anonymous: true, identity: { header: 'pai', uri: 'sip:200@example.com' } });
    const invite = bed.transactions.last;
    expect(invite.header('from')).toMatch(/^"?Anonymous"? <sip:anonymous@anonymous\.invalid>;tag=/);
    expect(invite.header('privacy')).toBe('id');
    expect(invite.header('p-asserted-identity')).toBe('"Two Hundred" <sip:200@example.com>');
  });

  it('tells who calls in the header that the peer wants', () => {
    const uri = 'sip:200@example.com';
    const bed = new TestBed();
    bed.call({ identity: { header: 'ppi', uri } });
    expect(bed.transactions.last.header('p-preferred-identity')).toBe('"Two Hundred" <sip:200@example.com>');
    bed.call({ identity: { header: 'rpid', uri } });
    expect(bed.transactions.last.header('remote-party-id')).toBe(
      '"Two Hundred" <sip:200@example.com>;party=calling;screen=yes;privacy=off',
    );
    bed.call({ anonymous: 'name', identity: { header: 'rpid', uri } });
    expect(bed.transactions.last.header('remote-party-id')).toContain('privacy=full');
    expect(bed.transactions.last.header('from')).toMatch(/^"?Anonymous"? <sip:200@example\.com>;tag=/);
    expect(bed.transactions.last.header('privacy')).toBe('id');
  });

  it('goes by the Path of a registration (RFC 3327)', () => {
    const bed = new TestBed();
    bed.call({ route: [{ display: '', uri: 'sip:edge.example;lr', params: new Map() }] });
    expect(bed.transactions.last.header('route')).toBe('<sip:edge.example;lr>');
    expect(bed.transactions.last.request.uri).toBe('sip:1001@192.0.2.9');
  });

  it('Record-Route is reversed for the caller, and taken anew from the 2xx (RFC 3261 §12.1.2)', async () => {
    const bed = new TestBed();
    const { session } = bed.call();
    const invite = bed.transactions.last;
    invite.answer(180, { headers: [['record-route', '<sip:old.example;lr>']] });
    invite.answer(200, {
      ...ANSWER,
      headers: [
        ['record-route', '<sip:p2.example;lr>, <sip:192.0.2.9;lr>'],
        ['contact', '<sip:far@10.0.0.1>'],
      ],
    });
    const ack = bed.transactions.acks[0]?.request;
    expect(ack?.uri).toBe('sip:far@10.0.0.1');
    expect(routesOf(ack?.headers)).toEqual(['<sip:192.0.2.9;lr>', '<sip:p2.example;lr>']);
    session.hangUp();
    expect(routesOf(bed.transactions.last.request.headers)).toEqual([
      '<sip:192.0.2.9;lr>',
      '<sip:p2.example;lr>',
    ]);
  });

  it('the peer hangs up; requests of strangers in it get 481', () => {
    const bed = new TestBed();
    const { listener, session } = bed.call();
    bed.transactions.last.answer(200, ANSWER);
    const tag = session.invite.from.params.get('tag') ?? '';
    const names = { callId: session.callId, toTag: tag };
    expect(bed.receive(write('BYE', { ...names, fromTag: 'stranger' })).statuses).toEqual([481]);
    expect(bed.receive(write('BYE', { ...names, headers: ['Reason: Q.850;cause=16'] })).statuses).toEqual([
      200,
    ]);
    expect(listener.log).toEqual(['answered answer', 'ended by peer null 16']);
    expect(bed.agent.sessions).toBe(0);
    expect(bed.timers.count).toBe(0);
  });

  it('a re-INVITE of the callee before its own answer gets 491', () => {
    const bed = new TestBed();
    const { session } = bed.call();
    bed.transactions.last.answer(180);
    const toTag = session.invite.from.params.get('tag') ?? '';
    const early = bed.receive(write('INVITE', { callId: session.callId, toTag, body: 'offer' }));
    expect(early.statuses).toEqual([491]);
  });
});

describe('reliable provisional responses of the peer (RFC 3262)', () => {
  const reliable = (rseq: number) =>
    ({
      headers: [
        ['require', '100rel'],
        ['rseq', `${rseq}`],
      ],
    }) as const;

  it('are each answered with one PRACK, in their order', () => {
    const bed = new TestBed();
    const { listener } = bed.call();
    const invite = bed.transactions.last;
    invite.answer(180, reliable(10));
    invite.answer(180, reliable(10));
    invite.answer(183, reliable(12));
    invite.answer(183, reliable(11));
    expect(listener.log).toEqual(['progressed 180', 'progressed 183']);
    expect(bed.transactions.methods()).toEqual(['INVITE', 'PRACK', 'PRACK']);
    expect(bed.transactions.sent.map((sent) => sent.header('rack'))).toEqual([
      undefined,
      '10 1 INVITE',
      '11 1 INVITE',
    ]);
    invite.answer(200, ANSWER);
    expect(bed.transactions.acks[0]?.request.cseq.number).toBe(1);
    expect(bed.transactions.sent.map(({ request }) => request.cseq.number)).toEqual([1, 2, 3]);
  });

  it('after them the BYE counts on where the early dialog stood', () => {
    const bed = new TestBed();
    const { session } = bed.call();
    bed.transactions.last.answer(180, reliable(1));
    bed.transactions.sent[0]?.answer(200, ANSWER);
    session.hangUp();
    expect(bed.transactions.last.request.cseq).toEqual({ number: 3, method: 'BYE' });
  });
});

const routesOf = (headers: readonly (readonly [string, string])[] = []): string[] =>
  headers.filter(([name]) => name === 'route').map(([, value]) => value);
