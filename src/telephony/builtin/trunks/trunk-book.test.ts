import { expect, it } from 'vitest';
import type { Trunk } from '../../ports/trunk.ts';
import { TrunkBook } from './trunk-book.ts';

const trunk = (id: string, addresses: string[], maxCalls = 2): Trunk => ({
  id,
  name: id,
  host: 'sip.example.com',
  port: 0,
  protocol: 'udp',
  account: 'a',
  privateHost: true,
  addresses,
  username: '',
  password: '',
  register: false,
  maxCalls,
  callerId: null,
});

it('a trunk is known by its addresses and networks, and by nothing else', () => {
  const book = new TrunkBook();
  book.set([
    trunk('a', ['192.0.2.1', '198.51.100.0/24']),
    trunk('b', ['2001:db8::/32', 'nonsense', '10.0.0.0/99']),
  ]);
  expect(book.from('192.0.2.1')).toEqual(['a']);
  expect(book.from('198.51.100.77')).toEqual(['a']);
  expect(book.from('2001:db8::5')).toEqual(['b']);
  for (const stranger of ['192.0.2.2', '10.0.0.1', '2001:db9::1', '127.0.0.1'])
    expect(book.from(stranger)).toEqual([]);
  book.set([]);
  expect(book.from('192.0.2.1')).toEqual([]);
});

it('a trunk carries no more calls than it may, and an edit keeps the count', () => {
  const book = new TrunkBook();
  book.set([trunk('a', [])]);
  const first = book.begin('a');
  const second = book.begin('a');
  expect([first, second].every(Boolean)).toBe(true);
  expect(book.begin('a')).toBeNull();
  book.set([trunk('a', [], 3)]);
  expect(book.callsOf('a')).toBe(2);
  first?.();
  first?.();
  expect(book.callsOf('a')).toBe(1);
  expect(book.begin('gone')).toBeNull();
});

it('a trunk that is disabled and enabled again under its calls carries no more than before', () => {
  const book = new TrunkBook();
  book.set([trunk('a', [])]);
  const over = [book.begin('a'), book.begin('a')];
  book.set([]);
  book.set([trunk('a', [])]);
  expect(book.begin('a')).toBeNull();
  for (const end of over) end?.();
  expect(book.callsOf('a')).toBe(0);
});
