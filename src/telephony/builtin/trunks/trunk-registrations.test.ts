import { expect, it } from 'vitest';
import { FakeTransactions } from '../../../sip/testing/fake-transactions.ts';
import { FakeTransports, settle } from '../../../sip/testing/test-bed.ts';
import { VirtualTimers } from '../../../sip/testing/virtual-timers.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { Trunk } from '../../ports/trunk.ts';
import { TrunkRegistrations } from './trunk-registrations.ts';

const TRUNK: Trunk = {
  id: 'a',
  name: 'a',
  host: '203.0.113.1',
  port: 5060,
  protocol: 'udp',
  account: 'a',
  privateHost: true,
  addresses: [],
  username: 'us',
  password: 'secret',
  register: true,
  maxCalls: 1,
  callerId: null,
};

it('a trunk that no longer answers does not hold up the end', async () => {
  const timers = new VirtualTimers();
  const transactions = new FakeTransactions();
  const registrations = new TrunkRegistrations(
    {
      timers,
      transactions,
      transports: new FakeTransports(),
      resolve: async () => [],
      allowsOf: () => () => true,
    },
    { info: () => undefined, warn: () => undefined },
  );
  registrations.set([TRUNK]);
  await settle();
  transactions.last.answer(200);
  expect(registrations.stateOf('a').registered).toBe(true);

  let closed = false;
  void registrations.close().then(() => {
    closed = true;
  });
  await settle();
  expect(transactions.last.header('expires')).toBe('0');
  expect(closed).toBe(false);
  timers.advance(1100);
  await settle();
  expect(closed).toBe(true);
});

const open = async (...trunks: Trunk[]) => {
  const transactions = new FakeTransactions();
  const registrations = new TrunkRegistrations(
    {
      timers: new VirtualTimers(),
      transactions,
      transports: new FakeTransports(),
      resolve: async () => [],
      allowsOf: () => () => true,
      lineKey: Buffer.alloc(32, 1),
    },
    { info: () => undefined, warn: () => undefined },
  );
  registrations.set(trunks);
  await settle();
  return { transactions, registrations };
};
const STRANGER: TransportFlow = {
  protocol: 'udp',
  local: { address: '192.0.2.1', port: 5060 },
  remote: { address: '198.51.100.77', port: 5060 },
  connection: 0,
};
const lineIn = (contact = ''): string => /;line=([0-9a-f]{32})>/.exec(contact)?.[1] ?? '';

it('the provider is known by the line of our Contact, while we are registered and where the trunk says so (T52)', async () => {
  const { transactions, registrations } = await open({ ...TRUNK, callsByRegistration: true });
  const register = transactions.last;
  const line = lineIn(register.header('contact'));
  expect(line).toHaveLength(32);
  const asked = (uri: string) => registrations.lineOf({ uri });
  expect(asked(`sip:us@192.0.2.1;line=${line}`)).toBeNull();
  register.answer(200);
  expect(asked(`sip:us@192.0.2.1;line=${line}`)).toBe('a');
  expect(asked(`sip:us@192.0.2.1:5060;transport=udp;line=${line.toUpperCase()}`)).toBe('a');
  for (const wrong of ['', 'x', line.slice(1), `${line}0`, '%00', '"', ';line=']) {
    expect(asked(`sip:us@192.0.2.1;line=${wrong}`)).toBeNull();
    expect(asked(`sip:us;line=${line}@192.0.2.1`)).toBeNull();
  }
  registrations.set([]);
  expect(asked(`sip:us@192.0.2.1;line=${line}`)).toBeNull();
  const without = await open(TRUNK);
  expect(without.transactions.last.header('contact')).not.toContain('line');
});

it('the line is the same after a restart, and another for each trunk and password', async () => {
  const line = async (changes: Partial<Trunk>) =>
    lineIn(
      (await open({ ...TRUNK, callsByRegistration: true, ...changes })).transactions.last.header('contact'),
    );
  const lines = await Promise.all([line({}), line({}), line({ id: 'b' }), line({ password: 'other' })]);
  expect(new Set(lines).size).toBe(3);
  expect(lines[0]).toBe(lines[1]);
});

it('the connection of a registration is the provider’s; a user name counts from the address that registered us alone', async () => {
  const { transactions, registrations } = await open({
    ...TRUNK,
    protocol: 'tcp',
    callsByRegistration: true,
  });
  transactions.last.answer(200);
  const { flow } = transactions.last;
  const from = (address: string): TransportFlow => ({ ...STRANGER, remote: { address, port: 5060 } });
  expect(registrations.registeredAs('+4930123', flow)).toBe('a');
  expect(registrations.registeredAs('+4930123', { ...flow, connection: 7 })).toBeNull();
  expect([flow, STRANGER].map((each) => registrations.isRegisteredBy(each))).toEqual([true, false]);
  // What an edge sends on its connection is not the connection's peer's.
  expect(registrations.registeredAs('us', { ...flow, peer: STRANGER.remote })).toBeNull();
  expect(registrations.registeredAs('us', from('203.0.113.1'))).toBe('a');
  expect(registrations.registeredAs('us', from('203.0.113.2'))).toBeNull();
  expect(registrations.registeredAs('other', from('203.0.113.1'))).toBeNull();
});

it('trunks of two accounts that share a connection get their own calls, and none of the other’s (T52)', async () => {
  const shared = { ...TRUNK, protocol: 'tcp', callsByRegistration: true } as const;
  const { transactions, registrations } = await open(
    { ...shared, id: 'first', username: 'mallory' },
    { ...shared, id: 'second', account: 'other', username: 'bob' },
    { ...shared, id: 'third', account: 'third', username: 'carol', callsByRegistration: false },
  );
  const lines = transactions.sent.map((sent) => lineIn(sent.header('contact')));
  for (const sent of [...transactions.sent]) sent.answer(200);
  const { flow } = transactions.last;
  expect(new Set(transactions.sent.map((sent) => sent.flow.connection)).size).toBe(1);
  expect(registrations.lineOf({ uri: `sip:bob@192.0.2.1;line=${lines[1]}` })).toBe('second');
  expect(registrations.registeredAs('mallory', flow)).toBe('first');
  expect(registrations.registeredAs('bob', flow)).toBe('second');
  for (const user of ['carol', '+4930123', '']) expect(registrations.registeredAs(user, flow)).toBeNull();
  expect(registrations.isRegisteredBy(flow)).toBe(true);
});

it('a user name that two trunks have at one registrar is neither’s', async () => {
  const both = [TRUNK, { ...TRUNK, id: 'b', account: 'other' }].map((trunk) => ({
    ...trunk,
    callsByRegistration: true,
  }));
  const { transactions, registrations } = await open(...both);
  for (const sent of transactions.sent) sent.answer(200);
  const flow = { ...STRANGER, remote: { address: '203.0.113.1', port: 5060 } };
  expect(registrations.registeredAs('us', flow)).toBeNull();
});
