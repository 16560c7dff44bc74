import { expect, it } from 'vitest';
import { sipServerOf, type Telephony } from './telephony.ts';

const TELEPHONY: Telephony = {
  sip: true,
  host: '127.0.0.1',
  port: 5060,
  tls_port: null,
  transports: ['tcp', 'udp'],
  advertised_address: null,
  realm: 'dialtree',
  sms: true,
  email: true,
  speech: true,
};

it('loopback is said to reach no other machine', () => {
  expect(sipServerOf(TELEPHONY, 'pbx.example')).toEqual({
    host: '127.0.0.1',
    port: 5060,
    transport: 'udp',
    note: 'loopback',
  });
});

it('who listens everywhere is found where the page was found', () => {
  for (const host of ['0.0.0.0', '::', '[::]'])
    expect(sipServerOf({ ...TELEPHONY, host }, 'pbx.example')).toMatchObject({
      host: 'pbx.example',
      note: 'everywhere',
    });
});

it('phones get the advertised address', () => {
  expect(
    sipServerOf({ ...TELEPHONY, host: '0.0.0.0', advertised_address: '203.0.113.9' }, 'localhost'),
  ).toMatchObject({
    host: '203.0.113.9',
    note: null,
  });
});

it('of TLS alone the port is its own; an address of IPv6 is bare', () => {
  expect(
    sipServerOf(
      { ...TELEPHONY, host: '[2001:db8::1]', port: null, tls_port: 5061, transports: ['tls'] },
      'x',
    ),
  ).toEqual({
    host: '2001:db8::1',
    port: 5061,
    transport: 'tls',
    note: null,
  });
});

it('with SIP off there is no server', () => {
  expect(sipServerOf({ ...TELEPHONY, sip: false, host: null, port: null, transports: [] }, 'x')).toBeNull();
});
