// What every database must do with call-backs: by examples, and by random deeds of two nodes against a naive model.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Callback, HOUR_MS, MAX_PER_CALLER } from '../../domain/callback.ts';
import type { Storage } from '../storage.ts';
import type { CallbackRefusal } from './callbacks.ts';
import type { Opened } from './opened.contract.ts';

const LEASE_MS = 1_000;
const LIMITS = { department: 4, account: 6 };
const NODES = ['n1', 'n2'] as const;

let serial = 0;
const callback = (changes: Partial<Callback> = {}): Callback => ({
  accountId: 'called',
  id: `c${String(++serial).padStart(6, '0')}`,
  department: 'sales',
  number: '+4930123456',
  numberKey: '4930123456',
  callerKey: '4930123456',
  typed: false,
  askedBy: 'call',
  place: serial,
  priority: 7,
  askedAtMs: 1_000_000,
  state: 'waiting',
  attempts: 0,
  dueAtMs: 1_000_000,
  callId: `call ${serial}`,
  result: null,
  endedAtMs: null,
  ...changes,
});

export function callbackContract(opened: () => Opened): void {
  describe('call-backs', () => {
    const many = { department: 100, account: 100 };
    const claim = (node: string, nowMs: number, limit = 100) =>
      opened().storage.claimCallbacks({ node, nowMs, leaseMs: LEASE_MS, limit });
    const settled = (of: Callback, node: string, attempts: number) =>
      ({ ...of, node, nowMs: 9, attempts, dueAtMs: 9, callId: 'next', result: 'busy' }) as const;

    it('are stored whole, and listed with the latest first', async () => {
      const { storage } = opened();
      const [one, two] = [callback({ typed: true }), callback({ numberKey: '2', department: 'support' })];
      expect(await storage.addCallback({ callback: one, limits: many })).toBeNull();
      expect(await storage.addCallback({ callback: two, limits: many })).toBeNull();
      expect(await storage.getCallback(one)).toEqual(one);
      const list = (page: object) => storage.listCallbacks({ accountId: 'called', limit: 10, ...page });
      expect(await list({})).toEqual([two, one]);
      expect(await list({ department: 'sales', open: true })).toEqual([one]);
      expect(await list({ before: two.id })).toEqual([one]);
      expect(await storage.listCallbacks({ accountId: 'another', limit: 10 })).toEqual([]);
      expect(await storage.getCallback({ accountId: 'another', id: one.id })).toBeNull();
      for (const { id } of [one, two])
        await storage.cancelCallbacks({ accountId: 'called', which: { id }, nowMs: 5 });
      expect(await list({ open: true })).toEqual([]);
      expect(await list({ open: false })).toHaveLength(2);
      expect(await storage.getCallback(one)).toMatchObject({ state: 'cancelled', endedAtMs: 5 });
      expect(await storage.forgetCallbacks({ beforeMs: 6, limit: 100 })).toEqual({ forgotten: 2 });
    });

    it('are claimed by one node of two, each attempt is begun once, and the end of it counts once', async () => {
      const { storage, another } = opened();
      const other = await another();
      const asked = callback({ accountId: 'raced' });
      await storage.addCallback({ callback: asked, limits: many });
      const claims = await Promise.all(
        [storage, other].map((each, at) =>
          each.claimCallbacks({ node: NODES[at] ?? '', nowMs: 1, leaseMs: LEASE_MS, limit: 9 }),
        ),
      );
      expect(claims.flat()).toHaveLength(1);
      const node = claims[0]?.length === 1 ? 'n1' : 'n2';
      const begin = { ...asked, node, nowMs: 2, leaseMs: LEASE_MS, dueAtMs: 50 };
      const begun = await Promise.all([storage.beginCallback(begin), other.beginCallback(begin)]);
      expect(begun.sort()).toEqual([false, true]);
      expect(await storage.cancelCallbacks({ ...asked, which: asked, nowMs: 3 })).toEqual([]);
      expect(await storage.settleCallback({ ...settled(asked, node, 1), state: 'failed' })).toBe(true);
      expect(await storage.settleCallback({ ...settled(asked, node, 1), state: 'done' })).toBe(false);
    });

    it('of a node that died are another’s once its lease has ended; a caller who was reached is not called again', async () => {
      const { storage } = opened();
      const asked = callback({ accountId: 'died' });
      await storage.addCallback({ callback: asked, limits: many });
      expect(await claim('n1', 1)).toHaveLength(1);
      const begin = { ...asked, leaseMs: LEASE_MS, dueAtMs: 77 };
      expect(await storage.beginCallback({ ...begin, node: 'n1', nowMs: 1 })).toBe(true);
      expect(await claim('n2', LEASE_MS)).toEqual([]);
      const [found] = await claim('n2', LEASE_MS + 1);
      expect(found).toMatchObject({ state: 'waiting', attempts: 1, dueAtMs: 77, result: 'interrupted' });
      expect(await storage.beginCallback({ ...begin, node: 'n1', nowMs: LEASE_MS + 2 })).toBe(false);
      expect(await storage.settleCallback({ ...settled(asked, 'n1', 1), state: 'waiting' })).toBe(false);
      expect(await storage.settleCallback({ ...settled(asked, 'n1', 1), state: 'done' })).toBe(true);
      expect(await storage.beginCallback({ ...begin, node: 'n2', nowMs: LEASE_MS + 2 })).toBe(false);
    });

    it('of two requests at once for one number and department one is stored', async () => {
      const { storage, another } = opened();
      const both = await Promise.all(
        [storage, await another()].map((each) =>
          each.addCallback({ callback: callback({ accountId: 'twice' }), limits: many }),
        ),
      );
      expect(both.sort()).toEqual([null, 'open'].sort());
      await storage.cancelCallbacks({
        accountId: 'twice',
        which: { department: 'sales', numberKey: '4930123456' },
        nowMs: 1,
      });
    });

    it('are as in a naive model, whatever two nodes do: none lost, none held or begun twice, in order', async () => {
      const { storage } = opened();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(DEED, { minLength: 5, maxLength: 30 }), async (deeds) => {
          const bench = new Bench(storage, `model ${++run}`);
          for (const deed of deeds) await bench.perform(deed);
          await bench.clear();
        }),
        { numRuns: 12 },
      );
    });
  });
}

type Node = (typeof NODES)[number];
type Deed =
  | { readonly type: 'ask'; readonly number: number; readonly caller: number; readonly department: number }
  | { readonly type: 'claim' | 'renew' | 'release'; readonly node: Node }
  | { readonly type: 'begin' | 'cancel'; readonly node: Node; readonly which: number }
  | {
      readonly type: 'settle';
      readonly node: Node;
      readonly which: number;
      readonly state: 'waiting' | 'done' | 'failed';
    }
  | { readonly type: 'pass'; readonly ms: number };

const node = fc.constantFrom(...NODES);
const which = fc.nat(5);
const DEED: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('ask' as const),
      number: fc.nat(2),
      caller: fc.nat(2),
      department: fc.nat(1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('claim' as const, 'renew' as const, 'release' as const),
      node,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('begin' as const, 'begin' as const, 'cancel' as const),
      node,
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('settle' as const),
      node,
      which,
      state: fc.constantFrom('waiting' as const, 'done' as const, 'failed' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.constantFrom(400, LEASE_MS, HOUR_MS) }),
  },
);

interface Known {
  callback: Callback;
  node: Node | null;
  leaseMs: number;
}

/** The database beside a list that is searched from end to end. */
class Bench {
  readonly #storage: Storage;
  readonly #accountId: string;
  readonly #all: Known[] = [];
  #nowMs = 10 * HOUR_MS;

  constructor(storage: Storage, accountId: string) {
    this.#storage = storage;
    this.#accountId = accountId;
  }

  async perform(deed: Deed): Promise<void> {
    switch (deed.type) {
      case 'ask':
        return this.#ask(deed);
      case 'claim':
        return this.#claim(deed.node);
      case 'renew': {
        const held = this.#held(deed.node);
        for (const each of held) each.leaseMs = this.#nowMs + LEASE_MS;
        const input = { node: deed.node, nowMs: this.#nowMs, leaseMs: LEASE_MS };
        const ids = (await this.#storage.renewCallbacks(input)).map(({ id }) => id);
        expect(ids.sort()).toEqual(held.map(({ callback: { id } }) => id).sort());
        return;
      }
      case 'release':
        for (const each of this.#held(deed.node)) each.leaseMs = this.#nowMs;
        await this.#storage.releaseCallbacks({ node: deed.node, nowMs: this.#nowMs });
        return;
      case 'begin':
        return this.#begin(deed);
      case 'cancel':
        return this.#cancel(deed.which);
      case 'settle':
        return this.#settle(deed);
      case 'pass':
        this.#nowMs += deed.ms;
        return;
      default:
        deed satisfies never;
    }
  }

  /** Nothing is left for the next run. */
  async clear(): Promise<void> {
    const listed = await this.#storage.listCallbacks({ accountId: this.#accountId, limit: 1_000 });
    expect(listed).toEqual(this.#all.map((each) => each.callback).reverse());
    this.#nowMs += HOUR_MS;
    await this.#claim('n1');
    for (const { id } of listed)
      await this.#storage.cancelCallbacks({ accountId: this.#accountId, which: { id }, nowMs: this.#nowMs });
  }

  #isOpen = ({ callback: { state } }: Known): boolean => state === 'waiting' || state === 'calling';
  #held = (by: Node): Known[] =>
    this.#all.filter((each) => this.#isOpen(each) && each.node === by && each.leaseMs > this.#nowMs);

  async #ask({ number, caller, department: at }: Extract<Deed, { type: 'ask' }>): Promise<void> {
    const [numberKey, callerKey, department] = [`1${number}`, caller === 0 ? '' : `1${caller}`, `d${at}`];
    const asked = callback({
      accountId: this.#accountId,
      numberKey,
      callerKey,
      department,
      priority: 0,
      askedAtMs: this.#nowMs,
      dueAtMs: this.#nowMs,
      // Not in the order in which they are stored.
      place: (serial * 7919) % 1009,
    });
    const recent = this.#all
      .map((each) => each.callback)
      .filter(({ askedAtMs }) => askedAtMs > this.#nowMs - HOUR_MS);
    const same = recent.filter(
      (each) => each.numberKey === numberKey || (callerKey !== '' && each.callerKey === callerKey),
    );
    const open = this.#all.filter(this.#isOpen).map((each) => each.callback);
    let refusal: CallbackRefusal | null = null;
    if (open.some((each) => each.numberKey === numberKey && each.department === department)) refusal = 'open';
    else if (same.length >= MAX_PER_CALLER) refusal = 'caller-limit';
    else if (recent.filter((each) => each.department === department).length >= LIMITS.department)
      refusal = 'department-limit';
    else if (recent.length >= LIMITS.account) refusal = 'account-limit';
    expect(await this.#storage.addCallback({ callback: asked, limits: LIMITS })).toBe(refusal);
    if (refusal === null) this.#all.push({ callback: asked, node: null, leaseMs: 0 });
  }

  async #claim(by: Node): Promise<void> {
    const free = this.#all.filter((each) => this.#isOpen(each) && each.leaseMs <= this.#nowMs);
    for (const each of free) {
      if (each.callback.state === 'calling')
        each.callback = { ...each.callback, state: 'waiting', result: 'interrupted' };
      each.node = by;
      each.leaseMs = this.#nowMs + LEASE_MS;
    }
    const input = { node: by, nowMs: this.#nowMs, leaseMs: LEASE_MS, limit: 1_000 };
    const claimed = (await this.#storage.claimCallbacks(input)).filter(
      ({ accountId }) => accountId === this.#accountId,
    );
    const wanted = free.map((each) => each.callback).sort((one, other) => one.place - other.place);
    expect(claimed).toEqual(wanted);
  }

  async #begin({ node: by, which: at }: Extract<Deed, { type: 'begin' | 'cancel' }>): Promise<void> {
    const known = this.#all[at];
    if (!known) return;
    const mayBegin = this.#held(by).includes(known) && known.callback.state === 'waiting';
    const dueAtMs = this.#nowMs + 500;
    const input = { ...known.callback, node: by, nowMs: this.#nowMs, leaseMs: LEASE_MS, dueAtMs };
    expect(await this.#storage.beginCallback(input)).toBe(mayBegin);
    if (!mayBegin) return;
    known.callback = { ...known.callback, state: 'calling', attempts: known.callback.attempts + 1, dueAtMs };
    known.leaseMs = this.#nowMs + LEASE_MS;
  }

  async #settle({ node: by, which: at, state }: Extract<Deed, { type: 'settle' }>): Promise<void> {
    const known = this.#all[at];
    if (!known) return;
    const { attempts } = known.callback;
    const isTaken = this.#isOpen(known) && (state === 'done' || known.node === by);
    const [nowMs, dueAtMs] = [this.#nowMs, this.#nowMs + 300];
    const input = { ...known.callback, node: by, nowMs, attempts, state, dueAtMs, callId: 'next' } as const;
    expect(await this.#storage.settleCallback({ ...input, result: 'busy' })).toBe(isTaken);
    if (!isTaken) return;
    const { callback: before } = known;
    known.callback =
      state === 'waiting'
        ? { ...before, state, dueAtMs, callId: 'next', result: 'busy' }
        : { ...before, state, endedAtMs: nowMs, result: 'busy' };
  }

  async #cancel(at: number): Promise<void> {
    const known = this.#all[at];
    if (!known) return;
    const isCancelled = known.callback.state === 'waiting';
    const { accountId, id } = known.callback;
    if (isCancelled) known.callback = { ...known.callback, state: 'cancelled', endedAtMs: this.#nowMs };
    const cancelled = await this.#storage.cancelCallbacks({ accountId, which: { id }, nowMs: this.#nowMs });
    expect(cancelled).toEqual(isCancelled ? [known.callback] : []);
  }
}
