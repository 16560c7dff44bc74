import { expect, it } from 'vitest';
import { type Config, readConfig } from '../../config/config.ts';
import { checkAddress, isPrivate } from './address.ts';

const OWN = ['127.0.0.1', '::1', '192.168.1.5', 'fe80::1'];

function stateOf(environment: Record<string, string>, own: readonly string[] = OWN): string[] {
  const { state, message } = checkAddress(readConfig(environment) as Config, own);
  return [state, message];
}

it('loopback is warned of with the setting that opens it', () => {
  expect(stateOf({})).toEqual(['warn', expect.stringContaining('set SIP_HOST=0.0.0.0')]);
});

it('all addresses behind a private one need ADVERTISED_ADDRESS for the world outside', () => {
  expect(stateOf({ SIP_HOST: '0.0.0.0' })).toEqual(['warn', expect.stringContaining('ADVERTISED_ADDRESS')]);
  expect(stateOf({ SIP_HOST: '0.0.0.0' }, ['127.0.0.1', '203.0.113.9'])).toEqual([
    'ok',
    'Peers get the address 203.0.113.9',
  ]);
});

it('an address that another machine has cannot be listened on', () => {
  expect(stateOf({ SIP_HOST: '192.168.1.6' })[0]).toBe('fail');
  expect(stateOf({ SIP_HOST: '192.168.1.5' })[0]).toBe('warn');
});

it('an advertised address is this machine’s own, a router’s, or doubtful', () => {
  const at = (address: string): string[] => stateOf({ SIP_HOST: '0.0.0.0', ADVERTISED_ADDRESS: address });
  expect(at('192.168.1.5')).toEqual(['ok', expect.stringContaining('an address of this machine')]);
  expect(at('203.0.113.9')).toEqual(['ok', expect.stringContaining('forward SIP_PORT')]);
  expect(at('10.0.0.1')[0]).toBe('warn');
});

it('private addresses are those that no router of the internet carries', () => {
  for (const address of [
    '10.1.2.3',
    '172.16.0.1',
    '172.31.9.9',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.1.1',
    'fd00::1',
  ])
    expect([address, isPrivate(address)]).toEqual([address, true]);
  for (const address of ['172.32.0.1', '100.128.0.1', '8.8.8.8', '2001:db8::1'])
    expect([address, isPrivate(address)]).toEqual([address, false]);
});

it('each doubt has the code under which Health shows it', () => {
  const code = (environment: Record<string, string>, own = OWN): string | undefined =>
    checkAddress(readConfig(environment) as Config, own).code;
  expect(code({})).toBe('address-local');
  expect(code({ SIP_HOST: '0.0.0.0' })).toBe('address-private');
  expect(code({ SIP_HOST: '0.0.0.0', ADVERTISED_ADDRESS: '10.0.0.1' })).toBe('address-private');
  expect(code({ SIP_HOST: '192.168.1.6' })).toBe('address-unusable');
  expect(code({ SIP_HOST: '0.0.0.0', ADVERTISED_ADDRESS: '203.0.113.9' })).toBeUndefined();
});
