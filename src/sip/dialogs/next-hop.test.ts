import { describe, expect, it } from 'vitest';
import { PEER_FLOW, settle, TestBed, write } from '../testing/test-bed.ts';

const HOLD = Buffer.from('hold');

describe('where requests of ours go', () => {
  it('by the recorded routes in their order for the callee, the target only changed by re-INVITE', async () => {
    const bed = new TestBed();
    const call = bed.established({
      body: 'offer',
      headers: ['Record-Route: <sip:192.0.2.9;lr>, <sip:p2.example;lr>', 'Record-Route: <sip:p3.example;lr>'],
    });
    call.request('INFO', { headers: ['Contact: <sip:evil@203.0.113.1>'] });
    const reinvite = call.request('INVITE', {
      body: 'new',
      headers: ['Contact: <sip:moved@203.0.113.7>', 'Record-Route: <sip:other.example;lr>'],
    });
    call.session.hangUp();
    expect(reinvite.statuses).toEqual([487]);
    const bye = bed.transactions.last.request;
    expect(bye.uri).toBe('sip:peer@192.0.2.9:5060');
    expect(bye.headers.filter(([name]) => name === 'route').map(([, value]) => value)).toEqual([
      '<sip:192.0.2.9;lr>',
      '<sip:p2.example;lr>',
      '<sip:p3.example;lr>',
    ]);
    expect(bed.transactions.last.flow).toBe(PEER_FLOW);
    await settle();
    expect(bed.transports.asked).toEqual([]);
  });

  it('each by itself: one that cannot be sent keeps back no other that waits for the same name', async () => {
    const bed = new TestBed();
    bed.destinations = [{ protocol: 'udp', address: '203.0.113.8', port: 5060 }];
    const call = bed.established({ headers: ['Contact: <sip:peer@phone.example>'] });
    const failure = new Error('a bug');
    const send = bed.transactions.request.bind(bed.transactions);
    bed.transactions.request = () => {
      bed.transactions.request = send;
      throw failure;
    };
    call.session.reinvite(HOLD, () => undefined);
    call.session.hangUp();
    await settle();
    expect(bed.transactions.failures).toEqual([failure]);
    expect(bed.transactions.methods()).toEqual(['BYE']);
  });

  it('by the flow of a peer outside whose name leads to an address inside (T42)', async () => {
    const bed = new TestBed();
    bed.destinations = [{ protocol: 'tcp', address: '10.0.0.5', port: 22 }];
    const call = bed.established({ headers: ['Contact: <sip:peer@inside.example;transport=tcp>'] });
    call.session.hangUp();
    await settle();
    expect(bed.transactions.methods()).toEqual(['BYE']);
    expect(bed.transactions.last.flow).toBe(PEER_FLOW);
    expect(bed.transports.asked).toEqual([]);
  });

  it.each([
    '10.0.0.5',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:7f00:1]',
    '[::ffff:a00:5]',
    '[0:0:0:0:0:ffff:10.0.0.5]',
  ])(
    'by the flow of a peer outside whose Contact or route is %s, also when its connection broke (T42)',
    async (host) => {
      for (const header of [
        `Contact: <sip:peer@${host}:22;transport=tcp>`,
        `Record-Route: <sip:${host}:22;transport=tcp;lr>`,
      ]) {
        const bed = new TestBed();
        const flow = { ...PEER_FLOW, protocol: 'tcp', connection: 7 } as const;
        const call = bed.established({ body: 'offer', headers: [header] }, flow);
        call.session.hangUp();
        await settle();
        expect(bed.transactions.last.flow).toBe(flow);
        bed.transactions.last.events.failed('transport');
        await settle();
        expect(bed.transports.asked).toEqual([]);
      }
    },
  );

  it('by the flow of a browser, whose Via names no host, whatever its Contact says', async () => {
    const bed = new TestBed();
    const flow = { ...PEER_FLOW, protocol: 'tcp', connection: 7 } as const;
    const writing = { headers: ['Contact: <sip:peer@203.0.113.7:5070>'], via: 'x7bz1.invalid' };
    bed.established(writing, flow).session.hangUp();
    await settle();
    expect(bed.transactions.last.flow).toBe(flow);
    expect(bed.transports.asked).toEqual([]);
  });

  it.each([
    ['udp', 0, 5060, []],
    ['udp', 0, 5070, ['udp:192.0.2.9:5070']],
    ['tcp', 7, 5070, []],
  ] as const)(
    'by the flow over %s (connection %d) where the name leads to the same peer at port %d, else to that port',
    async (protocol, connection, port, asked) => {
      const bed = new TestBed();
      bed.destinations = [{ protocol, address: '192.0.2.9', port }];
      const call = bed.established(
        { headers: ['Contact: <sip:peer@pbx.example>'] },
        { ...PEER_FLOW, protocol, connection },
      );
      call.session.hangUp();
      await settle();
      expect(bed.transactions.methods()).toEqual(['BYE']);
      expect(bed.transports.asked).toEqual(asked);
    },
  );

  it.each([
    // The edge's own, one or two, and what is behind them.
    [['<sip:10.0.0.5;lr>', '<sip:10.0.0.9:22;transport=tcp;lr>'], 1],
    [['<sip:10.0.0.5;lr>', '<sip:[::ffff:a00:9];lr>', '<sip:198.51.100.3;lr>'], 1],
    [['<sip:10.0.0.5;lr;r2=on>', '<sip:198.51.100.5;lr;r2=on>', '<sip:169.254.169.254:80;lr>'], 2],
    [['<sip:10.0.0.5;lr;r2=on>', '<sip:127.0.0.1:22;lr;r2=on>'], 1],
    [['<sip:10.0.0.5;lr;r2=on>', '<sip:10.0.0.5:5061;transport=tls;lr;r2=on>'], 2],
    // What is behind the peer's own proxy is the peer's.
    [['<sip:10.0.0.5;lr>', '<sip:198.51.100.3;lr;r2=on>', '<sip:10.1.1.1;lr;r2=on>'], 3],
  ] as const)('by an edge of ours, of the routes %j of a peer outside %d (T42)', async (routes, count) => {
    const bed = new TestBed();
    const remote = { address: '10.0.0.5', port: 5060 };
    const flow = { ...PEER_FLOW, remote, peer: { address: '203.0.113.9', port: 4060 } };
    const headers = [`Record-Route: ${routes.join(', ')}`, 'Contact: <sip:peer@203.0.113.9:4060>'];
    bed.established({ body: 'offer', headers }, flow).session.hangUp();
    await settle();
    const bye = bed.transactions.last;
    expect(bye.request.headers.filter(([name]) => name === 'route').map(([, value]) => value)).toEqual(
      routes.slice(0, count),
    );
    expect(bye.flow).toBe(flow);
    const inside = { ...flow, peer: { address: '10.0.0.7', port: 4060 } };
    const bed2 = new TestBed();
    bed2.established({ body: 'offer', headers }, inside).session.hangUp();
    await settle();
    expect(bed2.transactions.last.request.headers.filter(([name]) => name === 'route').length).toBe(
      routes.length,
    );
  });

  it('to a peer inside at the address that it names', async () => {
    const bed = new TestBed();
    const flow = { ...PEER_FLOW, remote: { address: '10.0.0.9', port: 5060 } };
    const writing = { headers: ['Contact: <sip:peer@10.0.0.5:5070>'], via: '10.0.0.9:5060' };
    bed.established(writing, flow).session.hangUp();
    await settle();
    expect(bed.transports.asked).toEqual(['udp:10.0.0.5:5070']);
  });

  it.each([
    ['198.51.100.7', '198.51.100.7', []],
    ['[64:ff9b:1::a00:5]', '64:ff9b:1::a00:5', []],
    ['inside.example', '198.51.100.7', []],
    ['203.0.113.7', '203.0.113.7', ['udp:203.0.113.7:5060']],
    ['outside.example', '203.0.113.7', ['udp:203.0.113.7:5060']],
  ])('of a trunk to %s only where its addresses are allowed (T42)', async (host, address, expected) => {
    const bed = new TestBed();
    const target = { uri: 'sip:1@192.0.2.9', host: '192.0.2.9', port: 5060, protocol: 'udp' } as const;
    const allows = (each: string): boolean => each.startsWith('203.0.113.') || each === '192.0.2.9';
    const { session } = bed.call({ target: { ...target, allows } });
    await settle();
    bed.transports.asked.length = 0;
    bed.destinations = [{ protocol: 'udp', address, port: 5060 }];
    bed.transactions.last.answer(200, { headers: [['contact', `<sip:peer@${host}>`]], body: HOLD });
    await settle();
    session.hangUp();
    await settle();
    expect(bed.transactions.methods()).toContain('BYE');
    expect(bed.transports.asked).toEqual(expected);
  });

  it.each([
    ['sip:peer@203.0.113.7;transport=tcp', 'udp', 'tcp:203.0.113.7:5060'],
    ['sip:peer@203.0.113.7:5070;transport=TCP', 'udp', 'tcp:203.0.113.7:5070'],
    ['sips:peer@203.0.113.7', 'udp', 'tls:203.0.113.7:5061'],
    // A dialog that began over TLS never goes on in clear text.
    ['sip:peer@203.0.113.7;transport=udp', 'tls', 'tls:203.0.113.7:5061'],
    ['sip:peer@203.0.113.7;transport=ws', 'udp', 'udp:203.0.113.7:5060'],
  ] as const)('to %s over %s: %s', async (contact, protocol, expected) => {
    const bed = new TestBed();
    const flow = { ...PEER_FLOW, protocol };
    const call = bed.established({ headers: [`Contact: <${contact}>`] }, flow);
    call.session.hangUp();
    await settle();
    expect(bed.transports.asked).toEqual([expected]);
  });

  it('to the target of an accepted re-INVITE', async () => {
    const bed = new TestBed();
    const call = bed.established();
    call.request('INVITE', { body: 'new', headers: ['Contact: <sip:moved@203.0.113.7:5070>'] });
    call.listener.answer?.(HOLD);
    call.ack(2);
    call.session.hangUp();
    await settle();
    expect(bed.transactions.last.request.uri).toBe('sip:moved@203.0.113.7:5070');
    expect(bed.transports.asked).toEqual(['udp:203.0.113.7:5070']);
  });

  it('to a strict router in the Request-URI, the target as the last Route (RFC 3261 §12.2.1.1)', () => {
    const bed = new TestBed();
    const call = bed.established({
      body: 'offer',
      headers: ['Record-Route: <sip:192.0.2.9>, <sip:p2.example;lr>'],
    });
    call.session.hangUp();
    const bye = bed.transactions.last.request;
    expect(bye.uri).toBe('sip:192.0.2.9');
    expect(bye.headers.filter(([name]) => name === 'route').map(([, value]) => value)).toEqual([
      '<sip:p2.example;lr>',
      '<sip:peer@192.0.2.9:5060>',
    ]);
  });

  it('on the flow of a phone behind NAT, whatever its Contact says', () => {
    const bed = new TestBed();
    const contact = 'Contact: <sip:phone@192.168.1.5:5060>';
    const call = bed.established({ body: 'offer', headers: [contact], via: '192.168.1.5:5060' });
    call.session.hangUp();
    expect(bed.transactions.last.flow).toBe(PEER_FLOW);
    const invalid = bed.established({
      body: 'offer',
      callId: 'ws',
      headers: ['Contact: <sip:x@abc.invalid;transport=ws>'],
      via: 'abc.invalid',
    });
    invalid.session.hangUp();
    expect(bed.transactions.last.flow).toBe(PEER_FLOW);
  });

  it('on the connection the call came by', () => {
    const bed = new TestBed();
    const flow = {
      ...PEER_FLOW,
      protocol: 'tcp',
      remote: { address: '192.0.2.9', port: 40_000 },
      connection: 7,
    } as const;
    const call = bed.established(
      { body: 'offer', headers: ['Contact: <sip:peer@192.0.2.9:5060;transport=tcp>'] },
      flow,
    );
    expect(call.invite.header('contact')).toBe('<sip:192.0.2.1:5060;transport=tcp>');
    call.session.hangUp();
    expect(bed.transactions.last.flow).toBe(flow);
  });

  it('to where a phone behind NAT spoke from last', () => {
    const bed = new TestBed();
    const nat = { body: 'offer', via: '192.168.1.5:5060' };
    const call = bed.established(nat);
    const moved = { ...PEER_FLOW, remote: { address: '192.0.2.9', port: 33_333 } };
    const update = write('UPDATE', { toTag: call.tag, seq: 2, via: '192.168.1.5:5060' });
    expect(bed.receive(update, moved).statuses).toEqual([200]);
    call.session.hangUp();
    expect(bed.transactions.last.flow).toBe(moved);
  });

  it('on the flow of a registered phone, whatever its Contact and Via say', async () => {
    const bed = new TestBed();
    const seen = { ...PEER_FLOW, remote: { address: '10.0.0.9', port: 33_333 } };
    for (const [via, contact] of [
      // A phone that learned its outer address writes it into Via and leaves its Contact, or writes names.
      ['10.0.0.9:33333', '192.168.1.5:5060'],
      ['phone.lan', 'phone.lan'],
      ['10.0.0.9:5060', '10.0.0.77:5060'],
      ['10.0.0.9:5060', '10.0.0.9:5060'],
    ]) {
      const call = bed.invited(
        { callId: via ?? '', headers: [`Contact: <sip:phone@${contact}>`], via: via ?? '' },
        seen,
      );
      call.session.keepFlow(null);
      call.session.answer(HOLD);
      call.ack();
      call.session.hangUp();
      expect(bed.transactions.last.request.method).toBe('BYE');
      expect(bed.transactions.last.request.uri).toBe(`sip:phone@${contact}`);
      expect(bed.transactions.last.flow).toBe(seen);
    }
    await settle();
    expect(bed.transports.asked).toEqual([]);
  });

  it('by the route that a proxy of a registered phone recorded', async () => {
    const bed = new TestBed();
    const call = bed.invited({ headers: ['Record-Route: <sip:203.0.113.5;lr>'] });
    call.session.keepFlow(null);
    call.session.answer(HOLD);
    call.ack();
    call.session.hangUp();
    await settle();
    expect(bed.transports.asked).toEqual(['udp:203.0.113.5:5060']);
  });

  it('to where a registered phone registered last, or spoke from since', () => {
    const bed = new TestBed();
    const at = (port: number) => ({ ...PEER_FLOW, remote: { address: '192.0.2.9', port } });
    let registered = PEER_FLOW;
    const call = bed.established();
    call.session.keepFlow(() => registered);
    registered = at(40_001);
    call.session.reinvite(HOLD, () => undefined);
    expect(bed.transactions.last.flow).toBe(registered);
    bed.transactions.last.answer(488);
    const moved = at(40_002);
    expect(bed.receive(write('UPDATE', { toTag: call.tag, seq: 2 }), moved).statuses).toEqual([200]);
    call.session.hangUp();
    expect(bed.transactions.last.flow).toBe(moved);
    const { session } = bed.call({
      target: { uri: 'sip:1@192.168.1.5', flow: PEER_FLOW, registered: () => registered },
    });
    bed.transactions.last.answer(200, { headers: [['contact', '<sip:1@192.168.1.5>']], body: HOLD });
    registered = at(40_003);
    session.hangUp();
    expect(bed.transactions.last.request.method).toBe('BYE');
    expect(bed.transactions.last.flow).toBe(registered);
  });

  it('by a new connection to the Contact of a registered phone whose connection broke, where no NAT is between', async () => {
    const bed = new TestBed();
    const flow = { ...PEER_FLOW, protocol: 'tcp', connection: 7 } as const;
    const call = bed.established({ headers: ['Contact: <sip:peer@192.0.2.9:5060;transport=tcp>'] }, flow);
    call.session.keepFlow(null);
    call.session.hangUp();
    bed.transactions.last.events.failed('transport');
    await settle();
    expect(bed.transports.asked).toEqual(['tcp:192.0.2.9:5060']);
  });

  it.each([
    ['10.0.0.9', '192.168.1.5', []],
    ['192.168.7.2', '172.20.0.3', []],
    ['100.64.3.3', '10.0.0.5', []],
    ['10.0.0.9', '10.200.0.5', ['udp:10.200.0.5:5060']],
    ['127.0.0.1', '10.200.0.5', ['udp:10.200.0.5:5060']],
  ])(
    'of a trunk seen at %s that names %s: %j, since NAT is between two private networks',
    async (seen, named, asked) => {
      const bed = new TestBed();
      bed.destinations = [{ protocol: 'udp', address: seen, port: 5060 }];
      const { session } = bed.call({
        target: { uri: `sip:1@${seen}`, host: seen, port: 5060, protocol: 'udp' },
      });
      await settle();
      bed.transports.asked.length = 0;
      bed.transactions.last.answer(200, { headers: [['contact', `<sip:peer@${named}>`]], body: HOLD });
      await settle();
      session.hangUp();
      await settle();
      expect(bed.transactions.methods()).toContain('BYE');
      expect(bed.transports.asked).toEqual(asked);
    },
  );

  it('by a new connection when the old one broke, once, and never to a phone behind NAT', async () => {
    const bed = new TestBed();
    const remote = { address: '192.0.2.9', port: 40_000 };
    const flow = { ...PEER_FLOW, protocol: 'tcp', remote, connection: 7 } as const;
    const contact = 'Contact: <sip:peer@192.0.2.9:5060;transport=tcp>';
    const call = bed.established({ body: 'offer', headers: [contact] }, flow);
    call.session.hangUp();
    bed.transactions.last.events.failed('transport');
    await settle();
    expect(bed.transports.asked).toEqual(['tcp:192.0.2.9:5060']);
    expect(bed.transactions.methods()).toEqual(['BYE', 'BYE']);
    bed.transactions.last.events.failed('transport');
    expect(bed.agent.sessions).toBe(0);
    const nat = bed.established({ body: 'offer', callId: 'nat', headers: [contact], via: '10.0.0.1' }, flow);
    nat.session.hangUp();
    bed.transactions.last.events.failed('transport');
    await settle();
    expect(bed.transactions.sent.length).toBe(3);
    expect(bed.agent.sessions).toBe(0);
  });

  it('by name: looked up, and by the flow that is there if it is among the addresses', async () => {
    const bed = new TestBed();
    bed.destinations = [{ protocol: 'udp', address: '203.0.113.2', port: 5060 }];
    const call = bed.established({ body: 'offer', headers: ['Contact: <sip:gw@gateway.example>'] });
    call.session.hangUp();
    await settle();
    expect(bed.transactions.last.flow.remote.address).toBe('203.0.113.2');
  });
});
