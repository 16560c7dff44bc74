import { expect, it } from 'vitest';
import { Cursor } from './cursor.ts';
import { readVia } from './via.ts';

const read = (text: string) => {
  const cursor = new Cursor(text);
  const { host, port, transport } = readVia(cursor);
  return cursor.failed ? null : `${transport} ${host} ${port}`;
};

it.each([
  ['SIP/2.0/UDP a', 'UDP a 0'],
  ['SIP/2.0/TCP a:65535;branch=x', 'TCP a 65535'],
  ['SIP / 2.0 / UDP a : 5060 ', 'UDP a 5060'],
  ['SIP/2.0/UDP [2001:db8::1]:5060', 'UDP [2001:db8::1] 5060'],
  ['SIP/2.0/UDP a:5060;branch=x;', 'UDP a 5060'],
  ['SIP/2.0/UDP a:5060;branch=x; ', 'UDP a 5060'],
  ['SIP/2.0/UDP a:5060;', 'UDP a 5060'],
  ['SIP/2.0/UDP a:5060;;branch=x', null],
  ['SIP/2.0/UDP a:5060;branch=x;;', null],
  ['SIP/2.0/UDP a:65536', null],
  ['SIP/2.0/UDP a:', null],
  ['SIP/2.0/UDP :5060', null],
  ['SIP/2.0/ a', null],
  ['SIP/2.0/UDP a b', null],
])('the Via %j is read as %j', (text, said) => {
  expect(read(text)).toBe(said);
});
