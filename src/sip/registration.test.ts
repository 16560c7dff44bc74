import { describe, expect, it } from 'vitest';
import { Registration, type RegistrationOptions, type RegistrationState } from './registration.ts';
import { FakeTransactions, type SentRequest } from './testing/fake-transactions.ts';
import { FakeTransports, settle } from './testing/test-bed.ts';
import { VirtualTimers } from './testing/virtual-timers.ts';

class Bed {
  readonly timers = new VirtualTimers();
  readonly transactions = new FakeTransactions();
  readonly states: RegistrationState[] = [];
  readonly registration: Registration;
  found: boolean;

  constructor(protocol: 'udp' | 'tcp' = 'udp', found = true) {
    this.found = found;
    const { timers, transactions } = this;
    this.registration = new Registration({
      timers,
      transactions,
      transports: new FakeTransports(),
      resolve: async () => (this.found ? [{ protocol, address: '203.0.113.1', port: 5060 }] : []),
      host: 'trunk.example',
      port: 0,
      protocol,
      credentials: { username: 'us', password: 'secret' },
      random: () => 0.5,
      changed: (state) => void this.states.push(state),
    });
  }

  async next(): Promise<SentRequest> {
    await settle();
    return this.transactions.last;
  }
}

const CHALLENGE = ['www-authenticate', 'Digest realm="trunk", nonce="n1", qop="auth"'] as const;
const granted = (seconds: number) =>
  ({
    headers: [
      ['contact', `<sip:us@192.0.2.1:5060>;expires=${seconds}`],
      ['contact', '<sip:other@x>;expires=9'],
    ],
  }) as const;

describe('our registration at a trunk', () => {
  it('answers the challenge, is told as registered, and refreshes at 80 % of what was granted', async () => {
    const bed = new Bed();
    const first = await bed.next();
    expect(first.request.uri).toBe('sip:trunk.example');
    expect(first.header('to')).toBe('<sip:us@trunk.example>');
    first.answer(401, { headers: [CHALLENGE] });
    const second = bed.transactions.last;
    expect(second.header('authorization')).toContain('uri="sip:trunk.example"');
    expect(second.request.cseq.number).toBe(2);
    expect(second.request.callId).toBe(first.request.callId);
    second.answer(200, granted(300));
    expect(bed.registration.state).toEqual({ registered: true, problem: null });
    bed.timers.advance(239_000);
    await settle();
    expect(bed.transactions.sent.length).toBe(2);
    bed.timers.advance(1_000);
    const refresh = await bed.next();
    expect(bed.transactions.sent.length).toBe(3);
    expect(refresh.header('authorization')).toContain('nc=00000002');
  });

  it('reports every change of its state', async () => {
    const bed = new Bed();
    (await bed.next()).answer(401, { headers: [CHALLENGE] });
    bed.transactions.last.answer(200, granted(300));
    void bed.registration.close();
    expect(bed.states).toEqual([
      { registered: true, problem: null },
      { registered: false, problem: expect.any(String) },
    ]);
  });

  it('un-registers with credentials where the trunk asks for them', async () => {
    const bed = new Bed();
    (await bed.next()).answer(200, granted(300));
    const closed = bed.registration.close();
    expect(bed.transactions.last.header('expires')).toBe('0');
    bed.transactions.last.answer(401, { headers: [CHALLENGE] });
    expect(bed.transactions.last.header('authorization')).toContain('nc=00000001');
    expect(bed.transactions.last.header('expires')).toBe('0');
    bed.transactions.last.answer(200);
    await closed;
  });

  it('a wrong password is said in words and not tried in a hurry', async () => {
    const bed = new Bed();
    (await bed.next()).answer(401, { headers: [CHALLENGE] });
    bed.transactions.last.answer(401, { headers: [CHALLENGE] });
    expect(bed.transactions.sent.length).toBe(2);
    expect(bed.registration.state).toEqual({
      registered: false,
      problem: 'trunk.example refuses the user name or password.',
    });
  });

  it('a provisional response changes nothing', async () => {
    const bed = new Bed();
    (await bed.next()).answer(100);
    expect(bed.registration.state).toEqual({ registered: false, problem: 'trunk.example has not answered.' });
    bed.transactions.last.answer(200, granted(300));
    expect(bed.registration.state.registered).toBe(true);
  });

  it('goes by the time of its own contact, not by that of another one listed before it', async () => {
    const bed = new Bed();
    const headers = [
      ['contact', '<sip:other@x>;expires=9'],
      ['contact', '<sip:us@192.0.2.1:5060>;expires=300'],
    ] as const;
    (await bed.next()).answer(200, { headers });
    bed.timers.advance(239_000);
    await settle();
    expect(bed.transactions.sent.length).toBe(1);
    bed.timers.advance(1_000);
    await settle();
    expect(bed.transactions.sent.length).toBe(2);
  });

  it('stays when another connection breaks, or a datagram socket is said to', async () => {
    const tcp = new Bed('tcp');
    const first = await tcp.next();
    first.answer(200, granted(3600));
    tcp.registration.flowClosed({ ...first.flow, connection: first.flow.connection + 1 });
    expect(tcp.registration.state.registered).toBe(true);
    const udp = new Bed();
    (await udp.next()).answer(200, granted(3600));
    udp.registration.flowClosed(udp.transactions.last.flow);
    expect(udp.registration.state.registered).toBe(true);
  });

  it('423 is obeyed', async () => {
    const bed = new Bed();
    (await bed.next()).answer(423, { headers: [['min-expires', '7200']] });
    expect(bed.transactions.last.header('expires')).toBe('7200');
  });

  it('waits longer after each failure, but never beyond ten minutes and a quarter', async () => {
    const bed = new Bed();
    await bed.next();
    const waits: number[] = [];
    for (let turn = 0; turn < 10; turn++) {
      bed.transactions.last.events.failed('timeout');
      const sent = bed.transactions.sent.length;
      const from = bed.timers.now();
      while (bed.transactions.sent.length === sent) {
        bed.timers.advance(1000);
        await settle();
      }
      waits.push((bed.timers.now() - from) / 1000);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
    expect(bed.registration.state.problem).toBe('trunk.example has not answered.');
  });

  it('a registration that still holds stays so while a refresh fails, until its time is over', async () => {
    const bed = new Bed();
    (await bed.next()).answer(200, granted(100));
    bed.timers.advance(80_000);
    (await bed.next()).events.failed('timeout');
    expect(bed.registration.state).toEqual({ registered: true, problem: 'trunk.example has not answered.' });
    bed.timers.advance(20_000);
    await settle();
    expect(bed.registration.state.registered).toBe(false);
  });

  it('a name that is not found is a problem, and tried again', async () => {
    const bed = new Bed('udp', false);
    await settle();
    expect(bed.registration.state.problem).toBe('trunk.example has not answered.');
    bed.found = true;
    bed.timers.advance(10_000);
    await settle();
    expect(bed.transactions.sent.length).toBe(1);
  });

  it('a broken connection means a new registration', async () => {
    const bed = new Bed('tcp');
    const first = await bed.next();
    first.answer(200, granted(3600));
    bed.registration.flowClosed(first.flow);
    expect(bed.registration.state.registered).toBe(false);
    bed.timers.advance(10_000);
    await settle();
    expect(bed.transactions.sent.length).toBe(2);
  });

  it('un-registers when it is closed, and leaves no timer', async () => {
    const bed = new Bed();
    (await bed.next()).answer(200, granted(3600));
    const closed = bed.registration.close();
    const last = bed.transactions.last;
    expect(last.header('expires')).toBe('0');
    expect(last.header('contact')).toBe('<sip:us@192.0.2.1:5060>;expires=0');
    last.answer(200);
    await closed;
    await bed.registration.close();
    expect(bed.timers.count).toBe(0);
    expect(bed.transactions.sent.length).toBe(2);
  });

  it('closing does not hang on a trunk that is silent', async () => {
    const bed = new Bed();
    (await bed.next()).answer(200, granted(3600));
    const closed = bed.registration.close();
    bed.transactions.last.events.failed('timeout');
    await closed;
    expect(bed.timers.count).toBe(0);
  });

  it('is tried again when it could not be sent', async () => {
    const bed = new Bed();
    const failure = new Error('a bug');
    const send = bed.transactions.request.bind(bed.transactions);
    bed.transactions.request = () => {
      bed.transactions.request = send;
      throw failure;
    };
    await settle();
    expect(bed.transactions.failures).toEqual([failure]);
    expect(bed.registration.state.problem).toBe('trunk.example has not answered.');
    bed.timers.advance(5_000);
    await settle();
    expect(bed.transactions.methods()).toEqual(['REGISTER']);
  });
});

describe('a registration at a trunk with more than a host', () => {
  const open = (more: Partial<RegistrationOptions>) => {
    const timers = new VirtualTimers();
    const transactions = new FakeTransactions();
    const transports = new FakeTransports();
    const registration = new Registration({
      timers,
      transactions,
      transports,
      resolve: async (protocol, host) => [{ protocol, address: `203.0.113.${host.length}`, port: 5060 }],
      host: 'trunk.example',
      port: 0,
      protocol: 'udp',
      credentials: { username: 'us', password: 'secret' },
      random: () => 0.5,
      ...more,
    });
    return { timers, transactions, transports, registration };
  };

  it('goes by the proxy, with a Route, and has its own name for the digest', async () => {
    const credentials = { username: 'auth', password: 'secret' };
    const proxy = { host: 'proxy.example', port: 5070 };
    const { transactions, transports } = open({ proxy, user: 'us', credentials, line: 'abc' });
    await settle();
    expect(transports.asked).toEqual(['udp:203.0.113.13:5060']);
    const first = transactions.last;
    expect(first.request.uri).toBe('sip:trunk.example');
    expect(first.header('route')).toBe('<sip:proxy.example;lr>');
    expect(first.header('to')).toBe('<sip:us@trunk.example>');
    expect(first.header('contact')).toBe('<sip:us@192.0.2.1:5060;line=abc>;expires=3600');
    first.answer(401, { headers: [CHALLENGE] });
    expect(transactions.last.header('authorization')).toContain('username="auth"');
    expect(transactions.last.header('route')).toBe('<sip:proxy.example;lr>');
  });

  it('tries the next host on 503, silence and a broken network, and none on a refusal', async () => {
    const backups = [
      { host: 'second', port: 0 },
      { host: 'third', port: 0 },
    ];
    const { transactions, transports, registration } = open({ backups });
    await settle();
    transactions.last.answer(503);
    await settle();
    transactions.last.events.failed('timeout');
    await settle();
    expect(transports.asked).toEqual([
      'udp:203.0.113.13:5060',
      'udp:203.0.113.6:5060',
      'udp:203.0.113.5:5060',
    ]);
    expect(registration.state).toEqual({ registered: false, problem: 'trunk.example has not answered.' });
    transactions.last.answer(200, granted(300));
    expect(registration.state.registered).toBe(true);
    const refused = open({ backups });
    await settle();
    refused.transactions.last.answer(403);
    await settle();
    expect(refused.transports.asked).toHaveLength(1);
  });

  it('begins with a host that answers', async () => {
    const backups = [{ host: 'second', port: 0 }];
    const { transports } = open({ backups, isDown: ({ address }) => address === '203.0.113.13' });
    await settle();
    expect(transports.asked).toEqual(['udp:203.0.113.6:5060']);
  });

  it('passes over a host that says nothing for 8 s, and ignores what it says later', async () => {
    const backups = [{ host: 'second', port: 0 }];
    const { timers, transactions, transports, registration } = open({ backups });
    await settle();
    const silent = transactions.last;
    timers.advance(8_000);
    await settle();
    expect(transports.asked).toEqual(['udp:203.0.113.13:5060', 'udp:203.0.113.6:5060']);
    silent.answer(403);
    silent.events.failed('timeout');
    expect(transactions.sent).toHaveLength(2);
    transactions.last.answer(200, granted(300));
    expect(registration.state).toEqual({ registered: true, problem: null });
    expect(registration.flow?.remote.address).toBe('203.0.113.6');
  });

  it('is made anew at the next host when its own ceases to answer, and stays where another does', async () => {
    const down: string[] = [];
    const backups = [{ host: 'second', port: 0 }];
    const { transactions, transports, registration } = open({
      backups,
      isDown: ({ address }) => down.includes(address),
    });
    await settle();
    transactions.last.answer(200, granted(300));
    registration.hostDown({ address: '203.0.113.6', port: 5060 });
    await settle();
    expect(transports.asked).toHaveLength(1);
    down.push('203.0.113.13');
    registration.hostDown({ address: '203.0.113.13', port: 5060 });
    registration.hostDown({ address: '203.0.113.13', port: 5060 });
    await settle();
    expect(transports.asked).toEqual(['udp:203.0.113.13:5060', 'udp:203.0.113.6:5060']);
    expect(registration.state.registered).toBe(true);
    transactions.last.answer(200, granted(300));
    expect(registration.flow?.remote.address).toBe('203.0.113.6');
  });
});
