import { expect, it } from 'vitest';
import { FakeTransactions } from '../../../sip/testing/fake-transactions.ts';
import { FakeTransports, settle } from '../../../sip/testing/test-bed.ts';
import { VirtualTimers } from '../../../sip/testing/virtual-timers.ts';
import type { Trunk } from '../../ports/trunk.ts';
import { TrunkMonitor } from './trunk-monitor.ts';

const TRUNK: Trunk = {
  id: 'a',
  name: 'a',
  host: 'one.example',
  port: 0,
  protocol: 'udp',
  account: 'a',
  privateHost: true,
  addresses: [],
  username: '',
  password: '',
  register: false,
  maxCalls: 1,
  callerId: null,
  backups: [{ host: '203.0.113.9', port: 5070 }],
  keepAliveS: 30,
};

function open(addresses: readonly string[] = ['203.0.113.1']) {
  const timers = new VirtualTimers();
  const transactions = new FakeTransactions();
  const log: string[] = [];
  const down: string[] = [];
  const monitor = new TrunkMonitor(
    {
      timers,
      transactions,
      transports: new FakeTransports(),
      resolve: async (protocol) => addresses.map((address) => ({ protocol, address, port: 5060 })),
      allowsOf: () => (address) => !address.startsWith('10.'),
      edgeOf: () => undefined,
      random: () => 0.5,
      hostDown: (id, { address }) => void down.push(`${id} ${address}`),
    },
    {
      info: (_: object, text: string) => void log.push(text),
      warn: (_: object, text: string) => void log.push(text),
    } as never,
  );
  const turn = async (ms: number) => {
    timers.advance(ms);
    await settle();
    await settle();
  };
  return { timers, transactions, monitor, log, down, turn };
}
const at = (address: string, port: number) => ({ protocol: 'udp', address, port }) as const;

it('asks every host of a trunk, and says which answer and how soon', async () => {
  const { transactions, monitor, turn, log } = open();
  monitor.set([TRUNK]);
  expect(monitor.stateOf('a')).toEqual({ reachable: null, hosts: [] });
  await turn(1_000);
  expect(transactions.methods()).toEqual(['OPTIONS', 'OPTIONS']);
  const [first, second] = transactions.sent;
  expect(first?.request.uri).toBe('sip:one.example');
  await turn(25);
  first?.answer(404);
  second?.answer(503);
  await settle();
  expect(monitor.stateOf('a')).toEqual({
    reachable: true,
    hosts: [
      {
        host: 'one.example',
        address: '203.0.113.1',
        port: 5060,
        reachable: true,
        latencyMs: expect.any(Number),
      },
      { host: '203.0.113.9', address: '203.0.113.9', port: 5070, reachable: false, latencyMs: null },
    ],
  });
  expect(monitor.isDown('a', at('203.0.113.1', 5060))).toBe(false);
  expect(monitor.isDown('a', at('203.0.113.9', 5070))).toBe(true);
  expect(monitor.unreachable).toBe(0);
  expect(log).toEqual(['trunk host does not answer OPTIONS']);
  // The second has not answered yet: one round is left out.
  await turn(30_000);
  expect(transactions.sent).toHaveLength(3);
  await turn(30_000);
  expect(transactions.sent).toHaveLength(5);
  transactions.sent[4]?.answer(200);
  await settle();
  expect(monitor.isDown('a', at('203.0.113.9', 5070))).toBe(false);
  expect(log.at(-1)).toBe('trunk host answers again');
});

it('silence for 8 s is no answer; an answer after that counts at the next time', async () => {
  const { transactions, monitor, turn, down } = open();
  monitor.set([{ ...TRUNK, backups: [] }]);
  await turn(1_000);
  await turn(8_000);
  expect(down).toEqual(['a 203.0.113.1']);
  expect(monitor.stateOf('a').reachable).toBe(false);
  expect(monitor.unreachable).toBe(1);
  transactions.last.answer(200);
  expect(monitor.stateOf('a').reachable).toBe(false);
});

it('a name without an address, or with one that is not allowed, does not answer', async () => {
  for (const addresses of [[], ['10.0.0.1']]) {
    const { transactions, monitor, turn } = open(addresses);
    monitor.set([{ ...TRUNK, backups: [] }]);
    await turn(1_000);
    expect(transactions.sent).toEqual([]);
    expect(monitor.stateOf('a')).toEqual({
      reachable: false,
      hosts: [{ host: 'one.example', address: '', port: 0, reachable: false, latencyMs: null }],
    });
  }
});

it('asks at most 8 addresses, none of a trunk without an interval, and none after it is gone', async () => {
  const many = open(Array.from({ length: 30 }, (_, index) => `203.0.113.${index + 1}`));
  const backups = ['b', 'c'].map((host) => ({ host: `${host}.example`, port: 5060 }));
  many.monitor.set([{ ...TRUNK, backups }]);
  await many.turn(1_000);
  expect(many.transactions.sent.length).toBeLessThanOrEqual(8);
  const { keepAliveS: _, ...silent } = TRUNK;
  many.monitor.set([silent]);
  const before = many.transactions.sent.length;
  await many.turn(100_000);
  expect(many.transactions.sent).toHaveLength(before);
  expect(many.monitor.stateOf('a')).toEqual({ reachable: null, hosts: [] });
});

it('an address that never answered is asked ever more rarely, one that did as before', async () => {
  const { transactions, monitor, turn } = open();
  monitor.set([{ ...TRUNK, backups: [] }]);
  await turn(1_000);
  for (let round = 0; round < 120; round += 1) await turn(30_000);
  const silent = transactions.sent.length;
  expect(silent).toBeLessThan(14);
  // Every 10 minutes at the least.
  expect(silent).toBeGreaterThan(8);
  for (let round = 0; round < 21; round += 1) {
    await turn(30_000);
    transactions.last.answer(200);
  }
  await turn(30_000);
  transactions.last.answer(200);
  expect(monitor.stateOf('a').reachable).toBe(true);
  const answered = transactions.sent.length;
  for (let round = 0; round < 10; round += 1) await turn(30_000);
  expect(transactions.sent.length - answered).toBe(10);
});

it('many trunks with one host make one OPTIONS of it in half an interval', async () => {
  const { transactions, monitor, turn } = open();
  const many = Array.from({ length: 200 }, (_, at) => ({ ...TRUNK, id: `t${at}`, backups: [] }));
  monitor.set(many);
  await turn(1_000);
  expect(transactions.sent).toHaveLength(1);
  transactions.last.answer(200);
  await turn(0);
  expect(many.every(({ id }) => monitor.stateOf(id).reachable)).toBe(true);
  await turn(30_000);
  expect(transactions.sent).toHaveLength(2);
});
