import { describe, expect, test } from 'vitest';
import { VirtualTimers } from '../../../sip/testing/virtual-timers.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { WebPhone } from '../../ports/web-phone.ts';
import { PAGE_BACK_MS, TAKE_UP_MS, WebPhones } from './web-phones.ts';

/** The phone of an agent. */
const phone = (agent: string, session = `session of ${agent}`): WebPhone => ({
  id: session,
  user: 'web-1',
  md5: '',
  sha256: '',
  peer: { kind: 'phone', id: agent },
  caller: '1001',
});

/** The session is what a guest is known by. */
const guest = (id: string, button: string | null = null): WebPhone => ({
  ...phone(id),
  peer: {
    kind: 'guest',
    id,
    to: '100',
    dial: '100',
    name: '',
    network: '203.0.113.9',
    visitor: { button, page: '' },
  },
});

const at = { address: '192.0.2.1', port: 1 };
const web = (connection: number): TransportFlow => ({ protocol: 'ws', local: at, remote: at, connection });
const UDP: TransportFlow = { protocol: 'udp', local: at, remote: at, connection: 0 };

function bed(phoneUser: (id: string) => string | null = () => '1001') {
  const timers = new VirtualTimers();
  const gone: number[] = [];
  const over: number[] = [];
  const back: (readonly [number, number])[] = [];
  /** Connections and agents that have a leg, and agents whose account has calls. */
  const legs = new Set<number | string>();
  const ringing = new Set<string>();
  const closed: number[] = [];
  const phones = new WebPhones({
    timers,
    config: { user: { phoneUser, hasCallsFor: (phone) => ringing.has(phone) } },
    legs: {
      gone: (connection, isOver) => void (isOver ? over : gone).push(connection),
      back: (connection, flow) => {
        back.push([connection, flow.connection]);
        if (legs.delete(connection)) legs.add(flow.connection);
      },
      has: (connection, phone) => legs.has(connection) || legs.has(phone),
    },
    transports: {
      closeWebSocket: (connection) => {
        closed.push(connection);
        phones.closed(connection, false);
      },
    },
  });
  return { timers, gone, over, back, phones, legs, ringing, closed };
}

describe('a page whose connection closed', () => {
  test('is gone if it does not come back within ten seconds', () => {
    const { timers, gone, phones } = bed();
    phones.opened(web(1), phone('asha'));
    phones.closed(1, false);
    timers.advance(PAGE_BACK_MS - 1);
    expect(gone).toEqual([]);
    timers.advance(1);
    expect(gone).toEqual([1]);
  });

  test('is waited for longer where another page of its agent is there, and not for ever', () => {
    const { timers, gone, phones } = bed();
    phones.opened(web(1), phone('asha'));
    phones.opened(web(2), phone('bela'));
    phones.closed(1, false);
    phones.closed(2, false);
    phones.opened(web(3), phone('asha', 'another session'));
    timers.advance(PAGE_BACK_MS);
    expect(gone).toEqual([2]);
    timers.advance(TAKE_UP_MS - 1);
    expect(gone).toEqual([2]);
    timers.advance(1);
    expect(gone).toEqual([2, 1]);
  });

  test('goes on by another connection of the same session at once, whichever was first', () => {
    const { back, phones } = bed();
    phones.opened(web(1), phone('asha'));
    phones.closed(1, false);
    phones.opened(web(2), phone('asha', 'another session'));
    expect(back).toEqual([]);
    phones.opened(web(3), phone('asha'));
    expect(back).toEqual([[1, 3]]);
    phones.opened(web(4), phone('asha'));
    phones.closed(3, false);
    expect(back.slice(1)).toContainEqual([3, 4]);
  });

  test('that was never a phone is not waited for', () => {
    const { timers, gone, phones } = bed();
    phones.closed(7, false);
    timers.advance(PAGE_BACK_MS);
    expect(gone).toEqual([]);
  });
});

describe('a page whose session is over', () => {
  test('is gone at once, also while another page of its agent is open', () => {
    const { timers, gone, over, phones } = bed();
    phones.opened(web(1), phone('asha', 'stolen'));
    phones.opened(web(2), phone('asha'));
    phones.closed(1, true);
    expect(over).toEqual([1]);
    timers.advance(PAGE_BACK_MS + TAKE_UP_MS);
    expect([gone, over]).toEqual([[], [1]]);
  });

  test('is gone with all its connections, those that were lost before too', () => {
    const { over, phones } = bed();
    phones.opened(web(1), phone('asha', 'stolen'));
    phones.opened(web(2), phone('asha', 'stolen'));
    phones.opened(web(3), phone('asha'));
    phones.closed(3, false);
    phones.closed(1, false);
    phones.closed(2, true);
    expect(over.toSorted()).toEqual([1, 2]);
  });
});

describe('requests with the tags of a call', () => {
  test('of an agent’s page come by a page of that agent, also after the first is closed', () => {
    const { phones, timers } = bed();
    phones.opened(web(1), phone('asha'));
    phones.opened(web(2), phone('asha', 'another session'));
    phones.opened(web(3), phone('bela'));
    expect([1, 2, 3].map((connection) => phones.isOne(web(1), web(connection)))).toEqual([true, true, false]);
    phones.closed(1, false);
    expect([1, 2, 3].map((connection) => phones.isOne(web(1), web(connection)))).toEqual([true, true, false]);
    timers.advance(PAGE_BACK_MS + TAKE_UP_MS);
    expect(phones.isOne(web(1), web(2))).toBe(false);
  });

  test('of a guest come by the same session', () => {
    const { phones } = bed();
    phones.opened(web(1), guest('one'));
    phones.opened(web(2), guest('one'));
    phones.opened(web(3), guest('other'));
    expect([1, 2, 3].map((connection) => phones.isOne(web(1), web(connection)))).toEqual([true, true, false]);
  });

  test('of a page do not come by UDP, nor those of a desk phone by a page', () => {
    const { phones } = bed();
    phones.opened(web(1), phone('asha'));
    expect(phones.isOne(web(1), UDP)).toBe(false);
    expect(phones.isOne(UDP, web(1))).toBe(false);
    expect(phones.isOne(UDP, { ...UDP, protocol: 'tcp', connection: 5 })).toBe(true);
  });
});

test('a connection is a phone while its agent exists, with the number that the agent has now', () => {
  let number: string | null = '1002';
  const { phones } = bed(() => number);
  phones.opened(web(1), phone('asha'));
  expect(phones.of(1)?.caller).toBe('1002');
  number = null;
  expect(phones.of(1)).toBeNull();
  expect(phones.of(2)).toBeNull();
});

test('a node that drains keeps the pages that its calls need, until they need them no more', () => {
  const { timers, phones, legs, ringing, closed } = bed();
  phones.opened(web(1), phone('asha'));
  phones.opened(web(2), phone('bela'));
  phones.opened(web(3), phone('chandra'));
  phones.opened(web(4), guest('page'));
  phones.opened(web(5), guest('talker'));
  timers.advance(PAGE_BACK_MS);
  legs.add('asha').add(5);
  ringing.add('bela');
  phones.setDrain(true);
  expect(closed).toEqual([3, 4]);
  // Loaded again: the agent's leg is known by the agent, the visitor's is not until it is taken up.
  phones.closed(5, false);
  phones.opened(web(6), guest('talker again'));
  phones.opened(web(7), phone('chandra'));
  expect(closed).toEqual([3, 4, 7]);
  timers.advance(PAGE_BACK_MS - 1_000);
  expect(closed).toEqual([3, 4, 7]);
  legs.delete('asha');
  ringing.delete('bela');
  timers.advance(1_000);
  expect(closed).toEqual([3, 4, 7, 1, 2, 6]);
});

test('a node that takes calls again keeps all pages', () => {
  const { timers, phones, closed } = bed();
  phones.setDrain(true);
  phones.setDrain(false);
  phones.opened(web(1), phone('asha'));
  timers.advance(PAGE_BACK_MS);
  expect(closed).toEqual([]);
});

test('a node that drains keeps the page that takes its call up in the same session', () => {
  const { timers, phones, legs, closed, back } = bed();
  phones.opened(web(1), guest('talker'));
  legs.add(1);
  phones.setDrain(true);
  phones.closed(1, false);
  phones.opened(web(2), guest('talker'));
  expect(back).toEqual([[1, 2]]);
  timers.advance(PAGE_BACK_MS);
  expect(closed).toEqual([]);
  legs.delete(2);
  timers.advance(1_000);
  expect(closed).toEqual([2]);
});

test('a visitor’s connection is needed while it has a call, those of agents and of the console always', () => {
  const { phones, legs } = bed();
  phones.opened(web(1), guest('acme/s', 'acme.sales'));
  phones.opened(web(2), guest('acme/t'));
  phones.opened(web(3), phone('asha'));
  expect([1, 2, 3].map((each) => phones.isNeeded(each))).toEqual([false, true, true]);
  legs.add(1);
  expect(phones.isNeeded(1)).toBe(true);
});
