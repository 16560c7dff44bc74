import { describe, expect, it } from 'vitest';
import type { HeldBinding } from '../../../sip/bindings.ts';
import { LOST_CONNECTION } from '../../../sip/bindings.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import type { SipTransports } from '../../../sip/transports/transports.ts';
import type { StoredPhone } from '../../ports/phone-store.ts';
import { StoredPhones } from './stored-phones.ts';

const REMOTE = { address: '192.0.2.9', port: 5060 };
const LOCAL = { address: '192.0.2.1', port: 5060 };
const ALICE = { user: '1001', hash: 'hash' };

function bed() {
  const saved: StoredPhone[] = [];
  const removed: string[] = [];
  /** The expiry up to which each may be removed. */
  const known: number[] = [];
  const store = {
    node: null,
    follow: () => undefined,
    load: async () => saved,
    save: (phone: StoredPhone) => void saved.push(phone),
    remove: ({ id, expiresAtMs }: { id: string; expiresAtMs: number }) => {
      removed.push(id);
      known.push(expiresAtMs);
    },
  };
  return { saved, removed, known, phones: new StoredPhones(store, () => Date.now()) };
}

const held = (changes: Partial<HeldBinding> = {}): HeldBinding => ({
  id: 'account/2001',
  key: 'key',
  contact: 'sip:a@192.0.2.9',
  flow: { protocol: 'udp', local: LOCAL, remote: REMOTE, connection: 0 },
  path: [{ display: '', uri: 'sip:edge;lr', params: new Map() }],
  q: 1,
  expiresAt: 60_000,
  userAgent: 'phone',
  instance: '',
  reachable: true,
  answers: true,
  node: null,
  failures: 0,
  callId: 'c',
  cseq: 1,
  expiry: null,
  ping: null,
  ...changes,
});

const transports: Pick<SipTransports, 'udpFlow' | 'listening'> = {
  listening: [
    { protocol: 'udp', local: LOCAL },
    { protocol: 'tcp', local: LOCAL },
  ],
  udpFlow: (remote, local = LOCAL) => ({ protocol: 'udp', local, remote, connection: 0 }),
};

describe('stored phones', () => {
  it('a phone that registers every minute is written once in ten minutes, a change at once', () => {
    const { saved, phones } = bed();
    const binding = held();
    for (let minute = 1; minute <= 60; minute++) {
      binding.expiresAt = minute * 60_000;
      phones.changed(binding, ALICE);
    }
    expect(saved.length).toBeLessThanOrEqual(6);
    const before = saved.length;
    binding.contact = 'sip:a@192.0.2.10';
    phones.changed(binding, ALICE);
    binding.flow = { ...binding.flow, remote: { ...REMOTE, port: 5061 } };
    phones.changed(binding, ALICE);
    phones.changed(binding, { ...ALICE, hash: 'other' });
    binding.expiresAt -= 1_000_000;
    phones.changed(binding, ALICE);
    expect(saved.length).toBe(before + 4);
    expect(JSON.stringify(saved)).not.toContain('"hash"');
  });

  it('are restored as they were, those with another password or long expired are removed', () => {
    const { saved, removed, phones } = bed();
    phones.changed(held(), ALICE);
    phones.changed(held({ id: 'account/changed' }), ALICE);
    phones.changed(held({ id: 'account/deleted' }), { user: '1003', hash: 'hash' });
    phones.changed(held({ id: 'account/expired', expiresAt: -601_000 }), ALICE);
    phones.changed(held({ id: 'account/may-be-expired', expiresAt: -60_000 }), ALICE);
    phones.changed(
      held({ id: 'account/tcp', flow: { ...held().flow, protocol: 'tcp', connection: 5 } }),
      ALICE,
    );
    const hashOf = (user: string, id: string): string | undefined =>
      user !== '1001' ? undefined : id === 'account/changed' ? 'new' : 'hash';
    const restored = phones.restore(saved, transports as SipTransports, hashOf);
    expect(removed).toEqual(['account/changed', 'account/deleted', 'account/expired']);
    const [first, maybe, tcp] = restored;
    const { failures, expiry, ping, expiresAt, ...rest } = held();
    expect(first).toMatchObject(rest);
    expect(first?.expiresAt).toBeGreaterThan(expiresAt - 2_000);
    // Its last refresh may not have been stored: it must answer first.
    expect(maybe).toMatchObject({ id: 'account/may-be-expired', reachable: false });
    expect(tcp).toMatchObject({ reachable: false, flow: { remote: REMOTE, connection: LOST_CONNECTION } });
  });

  it('of other nodes, which listen elsewhere, are neither restored nor removed', () => {
    const { saved, removed, phones } = bed();
    const at = (id: string, flow: Partial<TransportFlow>): void =>
      phones.changed(held({ id, flow: { ...held().flow, ...flow } }), ALICE);
    at('account/here', {});
    at('account/port', { local: { ...LOCAL, port: 5062 } });
    at('account/address', { local: { ...LOCAL, address: '192.0.2.2' } });
    at('account/tls', { protocol: 'tls', connection: 3 });
    const idsOf = (listening: SipTransports['listening']): string[] =>
      phones.restore(saved, { ...transports, listening } as SipTransports, () => 'hash').map(({ id }) => id);
    expect(idsOf(transports.listening)).toEqual(['account/here']);
    expect(removed).toEqual([]);
    // Where all addresses are listened on, those of this machine are ours.
    saved.length = 0;
    at('account/own', { protocol: 'tcp', connection: 3, local: { address: '127.0.0.1', port: 5060 } });
    at('account/other', { protocol: 'tcp', connection: 4 });
    expect(idsOf([{ protocol: 'tcp', local: { address: '0.0.0.0', port: 5060 } }])).toEqual(['account/own']);
  });

  it('behind an edge are stored with their own address, and restored to be reached by the Path', () => {
    const saved: StoredPhone[] = [];
    const store = {
      node: null,
      follow: () => undefined,
      load: async () => [],
      save: (phone: StoredPhone) => void saved.push(phone),
      remove: () => undefined,
    };
    const phones = new StoredPhones(
      store,
      () => Date.now(),
      (address) => address === '10.0.0.5',
    );
    const peer = { address: '203.0.113.9', port: 40_000 };
    const remote = { address: '10.0.0.5', port: 5070 };
    const path = [{ display: '', uri: 'sip:10.0.0.5:5070;lr', params: new Map() }];
    const udp = { ...held().flow, remote, peer };
    phones.changed(held({ path, flow: udp }), ALICE);
    phones.changed(held({ path, flow: { ...udp, protocol: 'tcp', connection: 4 } }), ALICE);
    // By an edge without Path: as a phone of its own address.
    phones.changed(held({ path: [], flow: udp }), ALICE);
    expect(saved.map(({ source }) => source)).toEqual([peer, peer, remote]);
    const restored = phones.restore(saved, transports as SipTransports, () => 'hash');
    expect(restored.map(({ flow }) => [flow.remote, flow.peer, flow.connection])).toEqual([
      [remote, peer, 0],
      [remote, peer, LOST_CONNECTION],
      [remote, undefined, 0],
    ]);
  });

  it('are removed up to the expiry that this process knows', () => {
    const { saved, known, phones } = bed();
    const binding = held();
    phones.changed(binding, ALICE);
    const [first] = saved;
    // A shorter one may not have been written yet.
    binding.expiresAt -= 30_000;
    phones.changed(binding, ALICE);
    phones.removed(binding);
    expect(known).toEqual([first?.expiresAtMs]);
    const [restored] = phones.restore(saved.slice(0, 1), transports as SipTransports, () => 'hash');
    phones.removed(held(restored));
    expect(known).toEqual([first?.expiresAtMs, first?.expiresAtMs]);
  });
});
