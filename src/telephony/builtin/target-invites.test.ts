import { expect, it } from 'vitest';
import type { Binding } from '../../sip/bindings.ts';
import type { Protocol } from '../../sip/transports/transport.ts';
import type { BuiltinEnvironment } from './environment.ts';
import { invitesTo } from './target-invites.ts';

const binding = (protocol: Protocol, address: string, contact: string): Binding =>
  ({
    contact,
    path: [],
    reachable: true,
    flow: {
      protocol,
      local: { address: '0.0.0.0', port: 5_060 },
      remote: { address, port: 40_000 },
      connection: 1,
    },
  }) as unknown as Binding;

function invites(mode: 'offered' | 'required', bindings: readonly Binding[]) {
  const env = {
    phones: { of: () => bindings },
    addresses: {
      // As seen from a machine with two networks.
      on: ({ remote }: Binding['flow']) => (remote.address.startsWith('10.') ? '10.0.0.1' : '192.0.2.1'),
    },
    config: { user: { srtpOf: () => mode } },
    media: { webrtc: {} },
  } as unknown as BuiltinEnvironment;
  const made = invitesTo(env, { kind: 'phones', id: '1001' }, {
    caller: '5551234',
    maxForwards: 70,
    passes: 0,
  } as never);
  return made?.all.map(({ carriage, address, srtp }) => ({ carriage, address, srtp }));
}

const PHONES = [
  binding('udp', '10.0.0.7', 'sip:1001@10.0.0.7'),
  binding('tls', '203.0.113.7', 'sip:1001@203.0.113.7;transport=tls'),
  binding('ws', '203.0.113.8', 'sip:1001@page.invalid;transport=ws'),
];

it('each phone of an agent is told the address that it reaches us by, and gets keys by its own signalling', () => {
  expect(invites('offered', PHONES)).toEqual([
    { carriage: 'plain', address: '10.0.0.1', srtp: { mode: 'offered', offers: false } },
    { carriage: 'plain', address: '192.0.2.1', srtp: { mode: 'offered', offers: true } },
    { carriage: 'browser', address: '192.0.2.1', srtp: { mode: 'offered', offers: false } },
  ]);
});

it('where SRTP is required all phones are offered keys', () => {
  expect(invites('required', PHONES)?.map(({ srtp }) => srtp.offers)).toEqual([true, true, true]);
});
