import { expect, test } from 'vitest';
import { hostTest, parseHosts } from './allowed-hosts.ts';

const mayCall = (list: string, host: string): boolean => {
  const allowed = parseHosts(list);
  if (!allowed) throw new Error(`${list} is no list of hosts`);
  return hostTest(allowed)(host);
};

test('an empty list allows nothing', () => {
  for (const host of ['pbx.example.com', '10.0.0.1', '::1', '']) expect(mayCall('', host)).toBe(false);
});

test('names are allowed as they are written, and below a domain by *.', () => {
  const list = 'PBX.example.com, *.voice.example';
  expect(mayCall(list, 'pbx.EXAMPLE.com')).toBe(true);
  expect(mayCall(list, 'a.b.voice.example')).toBe(true);
  for (const host of [
    'voice.example',
    'evilvoice.example',
    'x.pbx.example.com',
    'pbx.example.com.evil.example',
  ])
    expect(mayCall(list, host), host).toBe(false);
});

test('addresses are allowed by networks, whatever names lead there', () => {
  const list = '10.1.0.0/16,192.0.2.5,[2001:db8::1]';
  for (const host of ['10.1.2.3', '192.0.2.5', '2001:db8::1']) expect(mayCall(list, host), host).toBe(true);
  for (const host of ['10.2.0.1', '192.0.2.6', 'ten.example.com'])
    expect(mayCall(list, host), host).toBe(false);
});

test('what is neither a name nor a network is refused as a whole', () => {
  for (const list of ['10.0.0.0/33', 'a b', 'sip:pbx', '*', '*.', '300.1.1.1', 'a,http://b'])
    expect(parseHosts(list), list).toBeNull();
});
