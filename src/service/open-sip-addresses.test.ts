import { expect, test } from 'vitest';
import { limitsOf } from '../domain/account-limits.ts';
import type { SipCall } from '../flow/logic-phase.ts';
import { parseHosts } from '../safe-fetch/allowed-hosts.ts';
import { makeSipAddresses } from './open-sip-addresses.ts';

const call: SipCall = {
  user: 'desk',
  host: 'pbx.example.com',
  port: 0,
  transport: 'udp',
  headers: [{ name: 'X-Order', value: '4711' }],
};
const account = { id: 'a', limits: limitsOf({}) };
const sealer = {
  open: (sealed: string, place: string) => (sealed === `sealed for ${place}` ? 'secret' : null),
};
const allowing = (hosts: string) =>
  makeSipAddresses(parseHosts(hosts) ?? { names: [], networks: [] }, sealer);

test('a host that the operator does not allow is not dialled', () => {
  expect(allowing('').targetOf(account, '1', call)).toBe('host');
  expect(allowing('other.example.com').targetOf(account, '1', call)).toBe('host');
});

test('the password is opened for its own record alone', () => {
  const sealedPassword = 'sealed for SIP address password a 1';
  const asked = { ...call, username: 'u', sealedPassword };
  expect(allowing('pbx.example.com').targetOf(account, '1', asked)).toMatchObject({
    kind: 'sip',
    host: 'pbx.example.com',
    headers: [['x-order', '4711']],
    credentials: { username: 'u', password: 'secret' },
  });
  expect(allowing('pbx.example.com').targetOf(account, '2', asked)).toBe('credentials');
});

test('private addresses need the leave that trunks need', () => {
  const to = (more: object) =>
    allowing('pbx.example.com').targetOf({ id: 'a', limits: { ...account.limits, ...more } }, '1', call);
  expect(to({ private_networks: false })).toMatchObject({ privateHost: false });
  expect(to({ private_networks: true })).toMatchObject({ privateHost: true });
});

test('`sips:` is not dialled without SRTP; elsewhere it is offered', () => {
  const srtpOf = (asked: SipCall) => allowing('pbx.example.com').targetOf(account, '1', asked);
  expect(srtpOf({ ...call, transport: 'tls', secure: true })).toMatchObject({ srtp: 'required' });
  expect(srtpOf({ ...call, transport: 'tls' })).toMatchObject({ srtp: 'offered' });
});
