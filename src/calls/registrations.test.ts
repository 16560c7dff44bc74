import { describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import type { BindingStorage, RemovedBinding, StoredBinding } from '../storage/ports/bindings.ts';
import type { StoredPhone } from '../telephony/telephony.ts';
import { MAX_WAITING, Registrations, WAIT_MS } from './registrations.ts';

const phone = (key: string, changes: Partial<StoredPhone> = {}): StoredPhone => ({
  id: 'account/2001',
  key,
  contact: `sip:${key}@192.0.2.9`,
  path: [],
  instance: '',
  q: 1,
  callId: 'c',
  cseq: 1,
  expiresAtMs: 1,
  userAgent: '',
  protocol: 'udp',
  source: { address: '192.0.2.9', port: 5060 },
  local: { address: '192.0.2.1', port: 5060 },
  user: '1001',
  credential: 'x',
  ...changes,
});

function bed() {
  const clock = new VirtualClock();
  const writes: { saved: readonly StoredBinding[]; removed: readonly RemovedBinding[] }[] = [];
  const stored: StoredBinding[] = [];
  const state = { isDown: false, hangs: false };
  const storage: BindingStorage = {
    async saveBindings(input) {
      if (state.isDown) throw new Error('down');
      if (input.saved.some(({ key }) => key.startsWith('huge'))) throw new Error('index row too large');
      writes.push(input);
    },
    async listBindings({ after, limit }) {
      if (state.hangs) await new Promise(() => undefined);
      if (state.isDown) throw new Error('down');
      const from = after === null ? 0 : stored.findIndex(({ key }) => key === after.key) + 1;
      return stored.slice(from, from + limit);
    },
    forgetBindings: async () => ({ forgotten: 0 }),
  };
  const failed = vi.fn();
  const dropped = vi.fn();
  const notLoaded = vi.fn();
  const registrations = new Registrations({ storage, clock, failed, dropped, notLoaded });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, writes, stored, state, failed, dropped, notLoaded, registrations, pass };
}

describe('registrations', () => {
  it('are written together, of each phone the last change alone', async () => {
    const { writes, registrations, pass } = bed();
    for (let index = 0; index < 100; index++) registrations.save(phone(`${index % 10}`, { cseq: index }));
    registrations.remove(phone('3'));
    expect(writes).toEqual([]);
    await pass(WAIT_MS);
    expect(writes).toHaveLength(1);
    expect(writes[0]?.saved).toHaveLength(9);
    expect(writes[0]?.saved[0]).toMatchObject({
      accountId: 'account',
      agent: '2001',
      transport: 'udp',
      cseq: 90,
    });
    expect(writes[0]?.removed).toMatchObject([{ accountId: 'account', agent: '2001', key: '3' }]);
  });

  it('10,000 phones at once are 20 writes', async () => {
    const { writes, registrations, pass } = bed();
    for (let index = 0; index < 10_000; index++) registrations.save(phone(`${index}`));
    await pass(WAIT_MS);
    for (let turn = 0; turn < 20; turn++) await pass(0);
    expect(writes.map(({ saved }) => saved.length)).toEqual(Array(20).fill(500));
  });

  it('wait while the database is unavailable, bounded, and a newer change wins', async () => {
    const { writes, state, failed, registrations, pass } = bed();
    state.isDown = true;
    registrations.save(phone('a', { cseq: 1 }));
    await pass(WAIT_MS);
    expect(failed).toHaveBeenCalledOnce();
    registrations.save(phone('a', { cseq: 2 }));
    for (let index = 0; index < MAX_WAITING + 50; index++) registrations.remove(phone(`r${index}`));
    expect(registrations.waiting).toBe(MAX_WAITING);
    registrations.save(phone('b'));
    await registrations.flush();
    state.isDown = false;
    await registrations.flush();
    expect(registrations.waiting).toBe(0);
    expect(writes.flatMap(({ saved }) => saved.map(({ key, cseq }) => `${key} ${cseq}`))).toEqual(['b 1']);
  });

  it('are written but for those that the database refuses, which are dropped', async () => {
    const { writes, failed, dropped, registrations, pass } = bed();
    const keys = ['huge 1', 'a', 'huge 2', 'huge 3', 'huge 4', 'b', 'huge 5', 'c'];
    for (const key of keys) registrations.save(phone(key));
    await pass(WAIT_MS);
    expect(failed).toHaveBeenCalledOnce();
    for (let turn = 0; turn < 5; turn++) await pass(5_000);
    const written = (): string[] => writes.flatMap(({ saved }) => saved.map(({ key }) => key)).sort();
    expect(written()).toEqual(['a', 'b', 'c']);
    // What fails last may have failed because the database went away: it is dropped when another change has been written.
    for (const key of ['d', 'e']) {
      registrations.save(phone(key));
      for (let turn = 0; turn < 3; turn++) await pass(5_000);
    }
    expect(written()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const names = dropped.mock.calls.map(([, { key }]) => key);
    expect(names.length + registrations.waiting).toBe(5);
    expect(names.every((key) => key.startsWith('huge'))).toBe(true);
  });

  it('none is dropped when the database goes away in the middle', async () => {
    const { writes, state, dropped, registrations, pass } = bed();
    state.isDown = true;
    for (const key of ['a', 'b', 'c', 'd']) registrations.save(phone(key));
    await pass(WAIT_MS);
    for (let turn = 0; turn < 3; turn++) await pass(5_000);
    expect(registrations.waiting).toBe(4);
    state.isDown = false;
    await pass(5_000);
    expect(dropped).not.toHaveBeenCalled();
    expect(writes[0]?.saved).toHaveLength(4);
  });

  it('are removed up to the latest expiry that this process gave them', async () => {
    const { writes, registrations, pass } = bed();
    registrations.save(phone('a', { expiresAtMs: 9 }));
    registrations.save(phone('a', { expiresAtMs: 5 }));
    registrations.remove({ id: 'account/2001', key: 'a', expiresAtMs: 5 });
    await pass(WAIT_MS);
    expect(writes).toEqual([
      { saved: [], removed: [{ accountId: 'account', agent: '2001', key: 'a', expiresAtMs: 9 }] },
    ]);
  });

  it('are loaded page by page; a database that fails or does not answer is reported and delays for 5 s at most', async () => {
    const { clock, stored, state, notLoaded, registrations } = bed();
    for (let index = 0; index < 7_000; index++) {
      const { id, protocol, ...rest } = phone(`${index}`);
      stored.push({ ...rest, accountId: 'account', agent: '2001', transport: protocol });
    }
    const loaded = await registrations.load();
    expect(loaded).toHaveLength(7_000);
    expect(loaded[6_999]).toEqual(phone('6999'));
    expect(notLoaded).not.toHaveBeenCalled();
    state.isDown = true;
    expect(await registrations.load()).toEqual([]);
    state.isDown = false;
    state.hangs = true;
    const late = registrations.load();
    clock.advance(5_000);
    expect(await late).toEqual([]);
    expect(notLoaded).toHaveBeenCalledTimes(2);
    expect(clock.running).toBe(0);
  });
});
