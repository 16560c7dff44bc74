import { expect, it } from 'vitest';
import { FakeTransactions } from '../../../sip/testing/fake-transactions.ts';
import { FakeTransports, settle } from '../../../sip/testing/test-bed.ts';
import { VirtualTimers } from '../../../sip/virtual-timers.ts';
import type { Trunk } from '../../telephony.ts';
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
