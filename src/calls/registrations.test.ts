import { describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import { MemoryNotices } from '../sharing/memory/notices.ts';
import type {
  BindingStorage,
  ChangedBinding,
  RemovedBinding,
  StoredBinding,
} from '../storage/ports/bindings.ts';
import type { StoredPhone } from '../telephony/ports/phone-store.ts';
import { POLL_MS } from './phone-changes.ts';
import { MAX_WAITING, NEWS_MS, Registrations, type RegistrationsParts, WAIT_MS } from './registrations.ts';

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
  node: null,
  reachable: true,
  ...changes,
});

function bed(sharing?: RegistrationsParts['sharing']) {
  const clock = new VirtualClock();
  const writes: { saved: readonly StoredBinding[]; removed: readonly RemovedBinding[] }[] = [];
  const stored: StoredBinding[] = [];
  const state = {
    isDown: false,
    hangs: false,
    attempts: 0,
    write: Promise.resolve(),
    writing: Promise.resolve(),
    aheadMs: 0,
    reading: Promise.resolve(),
  };
  /** What a read finds. */
  const changed: { changedAtMs: number; binding: ChangedBinding }[] = [];
  const lists: unknown[] = [];
  const storage: BindingStorage = {
    async saveBindings(input) {
      state.attempts += 1;
      await state.writing;
      if (state.isDown) throw new Error('down');
      if (input.saved.some(({ key }) => key.startsWith('huge'))) throw new Error('index row too large');
      writes.push(input);
      await state.write;
    },
    async listBindings({ after, expiringAfterMs, limit }) {
      lists.push(expiringAfterMs);
      if (state.hangs) await new Promise(() => undefined);
      if (state.isDown) throw new Error('down');
      const from = after === null ? 0 : stored.findIndex(({ key }) => key === after.key) + 1;
      return stored.slice(from, from + limit);
    },
    changedBindings: async () => {
      const answer = { nowMs: clock.epochMs() + state.aheadMs, changes: [...changed] };
      await state.reading;
      return answer;
    },
    takeBindings: async () => ({ taken: 0 }),
    forgetBindings: async () => ({ forgotten: 0 }),
  };
  const failed = vi.fn();
  const dropped = vi.fn();
  const notLoaded = vi.fn();
  const registrations = new Registrations({
    ...(sharing ? { sharing } : {}),
    storage,
    clock,
    failed,
    dropped,
    notLoaded,
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, writes, stored, changed, state, lists, failed, dropped, notLoaded, registrations, pass };
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

  it('a contact that other nodes do not know is written at once, and next after a write that runs', async () => {
    const notices = new MemoryNotices(() => undefined);
    const { writes, state, registrations, pass } = bed({ node: 'a', notices });
    const keys = (): string[] => writes.flatMap(({ saved }) => saved.map(({ key }) => key));
    registrations.save(phone('refreshed'));
    await pass(NEWS_MS);
    expect(keys()).toEqual([]);
    let written = (): void => undefined;
    state.write = new Promise((resolve) => {
      written = resolve;
    });
    registrations.save(phone('first'), true);
    await pass(NEWS_MS);
    expect(keys()).toEqual(['refreshed', 'first']);
    registrations.save(phone('second'), true);
    await pass(NEWS_MS);
    expect(keys()).toEqual(['refreshed', 'first']);
    written();
    await pass(0);
    await pass(NEWS_MS);
    expect(keys()).toEqual(['refreshed', 'first', 'second']);
  });

  it.each([
    ['while its removal is being written', 'writing'],
    ['by a read that was asked for before its removal was written', 'reading'],
  ] as const)('a phone is not learned again %s', async (_, late) => {
    const notices = new MemoryNotices(() => undefined);
    const { writes, changed, state, registrations, pass } = bed({ node: 'a', notices });
    const learned: string[] = [];
    await registrations.load();
    registrations.follow((phones) => learned.push(...phones.map(({ key }) => key)));
    registrations.save(phone('desk'), true);
    await pass(NEWS_MS);
    const [binding] = writes[0]?.saved ?? [];
    if (binding) changed.push({ changedAtMs: 1, binding: { ...binding, node: 'a' } });
    let goOn = (): void => undefined;
    state[late] = new Promise((resolve) => {
      goOn = resolve;
    });
    if (late === 'reading') await pass(POLL_MS);
    registrations.remove(phone('desk'));
    await pass(NEWS_MS);
    if (late === 'writing') await pass(POLL_MS);
    goOn();
    await pass(0);
    expect(learned).toEqual([]);
    expect(writes.at(-1)?.removed).toHaveLength(1);
    registrations.close();
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
    expect(registrations.waiting).toBeLessThanOrEqual(MAX_WAITING);
    expect(registrations.waiting).toBeGreaterThan(0.98 * MAX_WAITING);
    registrations.save(phone('b'));
    await registrations.flush();
    state.isDown = false;
    await registrations.flush();
    expect(registrations.waiting).toBe(0);
    expect(writes.flatMap(({ saved }) => saved.map(({ key, cseq }) => `${key} ${cseq}`))).toEqual(['b 1']);
  });

  it('of an account that changes too many are dropped, not those of others', async () => {
    const { state, writes, registrations, pass } = bed();
    state.isDown = true;
    registrations.save(phone('other', { id: 'other/2001' }));
    await pass(WAIT_MS);
    for (let index = 0; index < MAX_WAITING + 50; index++) registrations.remove(phone(`r${index}`));
    expect(registrations.waiting).toBeLessThanOrEqual(MAX_WAITING);
    state.isDown = false;
    await registrations.flush();
    expect(writes.flatMap(({ saved }) => saved.map(({ key }) => key))).toEqual(['other']);
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
    registrations.remove({ id: 'account/2001', key: 'a', expiresAtMs: 5, callId: 'c', cseq: 2 });
    await pass(WAIT_MS);
    expect(writes).toEqual([
      {
        saved: [],
        removed: [{ accountId: 'account', agent: '2001', key: 'a', expiresAtMs: 9, callId: 'c', cseq: 2 }],
      },
    ]);
  });

  it('alone in a removal are removed up to their own expiry', async () => {
    const { writes, registrations, pass } = bed();
    registrations.remove({ id: 'account/2001', key: 'a', expiresAtMs: 5, callId: 'c', cseq: 2 });
    await pass(WAIT_MS);
    expect(writes[0]?.removed).toMatchObject([{ expiresAtMs: 5 }]);
  });

  it('are written in the order of their last change, once, and nothing is written where nothing waits', async () => {
    const { clock, writes, registrations, pass } = bed();
    for (const key of ['a', 'b', 'a']) registrations.save(phone(key));
    await pass(WAIT_MS);
    expect(writes.map(({ saved }) => saved.map(({ key }) => key))).toEqual([['b', 'a']]);
    registrations.save(phone('c'));
    await registrations.flush();
    expect(clock.running).toBe(0);
    await pass(10 * WAIT_MS);
    expect(writes).toHaveLength(2);
  });

  it('are tried once where one waits, and one by one where several do', async () => {
    const { state, writes, registrations, pass } = bed();
    registrations.save(phone('huge'));
    await pass(WAIT_MS);
    expect(state.attempts).toBe(1);
    registrations.save(phone('a'));
    await pass(5_000);
    expect(writes.map(({ saved }) => saved.map(({ key }) => key))).toEqual([['a']]);
  });

  it('are loaded page by page; a database that fails or does not answer is reported and delays for 5 s at most', async () => {
    const { clock, stored, state, lists, notLoaded, registrations } = bed();
    for (let index = 0; index < 7_000; index++) {
      const { id, protocol, ...rest } = phone(`${index}`);
      stored.push({ ...rest, accountId: 'account', agent: '2001', transport: protocol });
    }
    const loaded = await registrations.load();
    expect(loaded).toHaveLength(7_000);
    expect(loaded[6_999]).toEqual(phone('6999'));
    expect(clock.running).toBe(0);
    // Refreshes of the last ten minutes are not in the database.
    expect(lists).toEqual(Array(2).fill(clock.epochMs() - 600_000));
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

describe('registrations that several nodes share', () => {
  function node() {
    const published: string[] = [];
    const notices = {
      publish: (topic: string, text: string) => void published.push(`${topic} ${text}`),
      subscribe: () => () => undefined,
    };
    return { ...bed({ node: 'here', notices }), published };
  }

  it('are written and announced at once when a contact is new, and later together when it is not', async () => {
    const { writes, published, registrations, pass } = node();
    registrations.save(phone('refreshed'));
    registrations.save(phone('new'), true);
    await pass(NEWS_MS);
    expect([writes.length, published]).toEqual([1, ['phones here']]);
    registrations.save(phone('refreshed'));
    await pass(WAIT_MS - 1);
    expect(writes).toHaveLength(1);
    await pass(1);
    expect([writes.length, published.length]).toEqual([2, 1]);
    registrations.remove(phone('new'));
    await pass(NEWS_MS);
    expect([writes.length, published.length]).toEqual([3, 2]);
  });

  it('are announced soon also after all were written at once, and not after the end', async () => {
    const { clock, writes, registrations, pass } = node();
    registrations.save(phone('a'), true);
    await registrations.flush();
    registrations.save(phone('refreshed'));
    registrations.save(phone('b'), true);
    await pass(NEWS_MS);
    expect(writes.map(({ saved }) => saved.length)).toEqual([1, 2]);
    registrations.save(phone('c'), true);
    registrations.close();
    expect(clock.running).toBe(0);
  });

  it('are announced soon also when the write before took long', async () => {
    const { state, writes, registrations, pass } = node();
    let written = (): void => undefined;
    state.writing = new Promise((resolve) => {
      written = resolve;
    });
    registrations.save(phone('a'), true);
    await pass(NEWS_MS);
    registrations.save(phone('b'), true);
    await pass(NEWS_MS);
    state.writing = Promise.resolve();
    written();
    await pass(0);
    expect(writes).toHaveLength(1);
    await pass(NEWS_MS);
    expect(writes.map(({ saved }) => saved.map(({ key }) => key))).toEqual([['a'], ['b']]);
  });

  it('have their expiries by the database’s clock, and a removal allows for a second of difference', async () => {
    const { state, stored, writes, registrations, pass } = node();
    state.aheadMs = 7_000;
    const { id, protocol, ...rest } = phone('a', { expiresAtMs: 100_000 });
    stored.push({ ...rest, accountId: 'account', agent: '2001', transport: protocol });
    expect(await registrations.load()).toMatchObject([{ expiresAtMs: 93_000 }]);
    registrations.save(phone('b', { expiresAtMs: 1 }), true);
    registrations.remove({ id: 'account/2001', key: 'c', expiresAtMs: 1, callId: 'c', cseq: 2 });
    await pass(NEWS_MS);
    expect(writes[0]).toMatchObject({ saved: [{ expiresAtMs: 7_001 }], removed: [{ expiresAtMs: 8_001 }] });
  });
});
