// Being called back from a queue, on the test bed. The same with sockets and sound is in test/calls/queue.test.ts.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { AFTERNOON, callbackBed as bed, numberOf, RULES } from '../testing/callback-bed.ts';
import { type MemoryCallbacks, memoryCallbacks } from '../testing/memory-callbacks.ts';
import { OPERATOR } from '../testing/office.ts';

const recordOf = (json: string | undefined) => JSON.parse(json ?? '{}');

describe('a caller who asked to be called back', () => {
  it('is called by the agent who becomes free, with the place kept; both records say so', async () => {
    const { keepsBusy, asks, rows, store, call, ringing, pass, settled, switchboard, errors } = bed();
    await switchboard.callbacks?.start();
    const talking = await keepsBusy('1');
    const asking = await asks(1);
    const behind = await call('100', { caller: numberOf(2) });
    expect(asking.did.at(-1)).toBe('play callback-saved');
    asking.remote.listenToEnd();
    await settled();
    expect(rows).toMatchObject([{ endCode: 'callback-asked', index: { outcome: 'completed' } }]);
    expect(store.all()).toMatchObject([{ state: 'waiting', number: numberOf(1), askedBy: rows[0]?.id }]);
    talking.remote.hangUp();
    await pass(1_000);
    ringing('acme/1')?.remote.answer();
    await settled();
    const called = ringing(numberOf(1));
    expect(called?.address).toBe(`${numberOf(1)} by acme/t1`);
    expect(behind.did.some((deed) => deed.startsWith('connect'))).toBe(false);
    called?.remote.answer();
    await settled();
    expect(store.all()).toMatchObject([{ state: 'done', attempts: 1 }]);
    called?.remote.hangUp();
    await pass(1_000);
    const made = rows.find(({ dialled }) => dialled === numberOf(1));
    const { id, askedBy, callId } = store.all()[0] ?? {};
    expect(made).toMatchObject({ id: callId, index: { outcome: 'answered' } });
    expect(recordOf(made?.json).callback).toEqual({ id, call_id: askedBy, attempt: 1 });
    // Then it is the turn of the one behind.
    expect(ringing('acme/1')).toBeDefined();
    ringing('acme/1')?.remote.answer();
    expect(behind.did.at(-1)).toBe('connect acme/1');
    behind.remote.hangUp();
    await settled();
    expect(errors).toEqual([]);
  });

  it('keeps the priority in the queue', async () => {
    const { keepsBusy, asks, store, call, ringing, pass, settled, switchboard } = bed();
    await switchboard.callbacks?.start();
    const talking = await keepsBusy('1');
    const before = await call('100', { caller: numberOf(2) });
    (await asks(1, '51', '101')).remote.hangUp();
    expect(store.all()).toMatchObject([{ state: 'waiting', priority: 9 }]);
    talking.remote.hangUp();
    await pass(1_000);
    ringing('acme/1')?.remote.answer();
    await settled();
    expect(ringing(numberOf(1))).toBeDefined();
    expect(before.did.some((deed) => deed.startsWith('connect'))).toBe(false);
  });

  it('has the priority in the calls that follow, too', async () => {
    for (const first of ['caller', 'agent'] as const) {
      const { keepsBusy, asks, ringing, pass, settled, switchboard } = bed({ first });
      await switchboard.callbacks?.start();
      const talking = await keepsBusy('1');
      (await asks(1, '51', '101')).remote.hangUp();
      talking.remote.hangUp();
      await pass(1_000);
      const order = first === 'caller' ? [numberOf(1), 'acme/1'] : ['acme/1', numberOf(1)];
      for (const address of order) {
        ringing(address)?.remote.answer();
        await settled();
      }
      const [made] = switchboard.calls;
      expect([first, made?.phase.name, made?.priority]).toEqual([first, 'connected', 9]);
      const party = first === 'caller' ? 'caller' : 'called';
      switchboard.calls.transfers.to('acme', made?.facts.id ?? '', party, 'extension||2', OPERATOR);
      await settled();
      expect([first, [...switchboard.calls].map(({ priority }) => priority)]).toEqual([first, [9]]);
    }
  });

  it('is rung first where the department says so, and then has the reserved agent', async () => {
    const { keepsBusy, asks, store, ringing, pass, settled, switchboard, agentStates, rows } = bed({
      first: 'caller',
    });
    await switchboard.callbacks?.start();
    const talking = await keepsBusy('1');
    (await asks(1)).remote.hangUp();
    talking.remote.hangUp();
    await pass(1_000);
    const called = ringing(numberOf(1));
    expect(ringing('acme/1')).toBeUndefined();
    called?.remote.answer();
    await settled();
    expect(store.all()).toMatchObject([{ state: 'done' }]);
    // Counted with the call that asked for it, not later.
    const counts = [{ subject: 'department||sales', measure: 'callbacks_done', value: 1 }];
    expect(store.counted).toEqual([{ accountId: 'acme', atMs: store.all()[0]?.askedAtMs, counts }]);
    const agent = ringing('acme/1');
    agent?.remote.answer();
    expect(called?.other).toBe(agent);
    called?.remote.hangUp();
    await settled();
    expect(recordOf(rows.at(-1)?.json)).toMatchObject({ callback: { attempt: 1 }, answered_by: '1' });
    // The caller was in the queue once: by the call that asked.
    expect(rows.at(-1)?.index?.counts.filter(({ subject }) => subject.startsWith('department'))).toEqual([]);
    expect(agentStates.busyAgents).toBe(0);
  });

  it('is given up with the limit that is reached in its record', async () => {
    const { keepsBusy, asks, store, pass, switchboard, rows, telephony } = bed({
      first: 'caller',
      attempts: 1,
    });
    await switchboard.callbacks?.start();
    const talking = await keepsBusy('1');
    (await asks(1)).remote.hangUp();
    vi.spyOn(telephony, 'dial').mockImplementation((_target, { quotas = [], full }) => {
      const [reached] = quotas;
      if (reached) full?.(reached);
      return null;
    });
    talking.remote.hangUp();
    await pass(1_000);
    const { id, state } = store.all()[0] ?? {};
    expect(state).toBe('failed');
    expect(rows.find((row) => row.id === id)?.json).toContain(
      'The caller was not called: the account has as many sides of calls as the limit max_legs allows. 1 attempt was made.',
    );
  });

  it('goes back to the queue, first in it, if the reserved agent does not answer', async () => {
    const { keepsBusy, asks, ringing, pass, switchboard, telephony } = bed({ first: 'caller' });
    await switchboard.callbacks?.start();
    const talking = await keepsBusy('1');
    (await asks(1)).remote.hangUp();
    talking.remote.hangUp();
    await pass(1_000);
    const called = ringing(numberOf(1));
    called?.remote.answer();
    ringing('acme/1')?.remote.refuse('busy');
    telephony.register('acme/2');
    await pass(2_000);
    ringing('acme/2')?.remote.answer();
    expect(called?.other?.address).toBe('acme/2');
  });

  it('is busy twice and answers then, with pauses between', async () => {
    const { keepsBusy, asks, store, ringing, pass, settled, switchboard } = bed();
    await switchboard.callbacks?.start();
    (await asksWhileBusy({ keepsBusy, asks })).remote.hangUp();
    for (const attempts of [1, 2]) {
      await pass(1_500);
      const agent = ringing('acme/1');
      agent?.remote.answer();
      await settled();
      ringing(numberOf(1))?.remote.refuse('busy');
      agent?.remote.hangUp();
      await settled();
      expect(store.all()).toMatchObject([{ state: 'waiting', attempts, result: 'busy' }]);
      await pass(12_000);
      expect(ringing('acme/1')).toBeUndefined();
      await pass(50_000);
    }
    await pass(1_500);
    ringing('acme/1')?.remote.answer();
    await settled();
    ringing(numberOf(1))?.remote.answer();
    await settled();
    expect(store.all()).toMatchObject([{ state: 'done', attempts: 3 }]);
  });

  it('is given up after the last attempt, with a record', async () => {
    const { keepsBusy, asks, store, ringing, pass, settled, switchboard, rows } = bed({ attempts: 1 });
    await switchboard.callbacks?.start();
    (await asksWhileBusy({ keepsBusy, asks })).remote.hangUp();
    await pass(1_500);
    ringing('acme/1')?.remote.answer();
    await settled();
    ringing(numberOf(1))?.remote.refuse('busy');
    await pass(20_000);
    expect(store.all()).toMatchObject([{ state: 'failed', attempts: 1 }]);
    const { id } = store.all()[0] ?? {};
    expect(rows.find((row) => row.id === id)).toMatchObject({ endCode: 'callback-ended' });
    await pass(120_000);
    expect(ringing('acme/1')).toBeUndefined();
  });

  it('is not called outside the hours of the department', async () => {
    const { keepsBusy, asks, ringing, pass, switchboard, store, clock } = bed({ hours: AFTERNOON.ref });
    await switchboard.callbacks?.start();
    (await asksWhileBusy({ keepsBusy, asks })).remote.hangUp();
    await pass(Date.UTC(2026, 0, 5, 14) - 2_000 - clock.epochMs());
    expect(ringing('acme/1')).toBeUndefined();
    expect(store.all()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    await pass(4_000);
    expect(ringing('acme/1')).toBeDefined();
  });

  it('is called after a restart in between', async () => {
    const before = bed();
    await before.switchboard.callbacks?.start();
    (await asksWhileBusy(before)).remote.hangUp();
    const after = bed({}, before.store, before.clock);
    after.telephony.register('acme/1');
    await after.switchboard.callbacks?.start();
    await after.pass(1_000);
    after.ringing('acme/1')?.remote.answer();
    await after.settled();
    after.ringing(numberOf(1))?.remote.answer();
    await after.settled();
    expect(after.store.all()).toMatchObject([{ state: 'done', attempts: 1 }]);
  });

  it('who calls again is not called back, nor is one whose call-back is cancelled', async () => {
    const { keepsBusy, asks, store, pass, switchboard, ringing, rows, call } = bed();
    await switchboard.callbacks?.start();
    const talking = await keepsBusy('1');
    (await asks(1)).remote.hangUp();
    (await asks(2)).remote.hangUp();
    const again = await call('100', { caller: `0${numberOf(1).slice(3)}` });
    const second = store.all()[1];
    await store.cancelCallbacks({ accountId: 'acme', which: { id: second?.id ?? '' }, nowMs: 1 });
    await pass(6_000);
    expect(store.all()).toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }]);
    expect(rows.filter(({ endCode }) => endCode === 'callback-ended')).toHaveLength(2);
    again.remote.hangUp();
    talking.remote.hangUp();
    await pass(20_000);
    expect(ringing('acme/1')).toBeUndefined();
  });
});

async function asksWhileBusy({ keepsBusy, asks }: Pick<ReturnType<typeof bed>, 'keepsBusy' | 'asks'>) {
  const talking = await keepsBusy('1');
  const asking = await asks(1);
  talking.remote.hangUp();
  return asking;
}

describe('which numbers are called back', () => {
  it.each([
    ['a premium-rate number', '+49900123456', null],
    ['a number that no trunk dials', '+33123456789', null],
    ['a short one', '+4930', null],
    ['an agent’s', '1002', null],
    ['a number that is withheld', null, 'play callback-entry'],
  ])('not %s', async (_, caller, hears) => {
    const { keepsBusy, call, store, switchboard, settled } = bed();
    await switchboard.callbacks?.start();
    await keepsBusy('1');
    const leg = await call('100', { caller });
    leg.remote.press(caller === null ? '5' : '51');
    await settled();
    expect(leg.did.at(-1)).toBe(hears ?? 'play callback-refused');
    expect(store.all()).toEqual([]);
  });

  it.each([
    ['in the country', '03055512345', 1],
    ['abroad', '0033123456789', 0],
    ['that costs more', '0900123456', 0],
  ])('a typed one %s', async (_, typed, stored) => {
    const { keepsBusy, call, store, switchboard, settled } = bed();
    await switchboard.callbacks?.start();
    await keepsBusy('1');
    const leg = await call('100', { caller: numberOf(1) });
    leg.remote.press(`52${typed}#`);
    expect(leg.did.at(-1)).toBe('play callback-number');
    leg.remote.press('1');
    await settled();
    expect(store.all()).toHaveLength(stored);
  });

  it('one on the block list is not, nor a second time while it is to be called back', async () => {
    const { keepsBusy, asks, store, switchboard, blocked } = bed();
    await switchboard.callbacks?.start();
    await keepsBusy('1');
    const [reason, anonymous, verstat, dialled] = ['', false, null, null];
    (await asks(1)).remote.hangUp();
    const typed = `0${numberOf(1).slice(3)}`;
    expect((await asks(2, `52${typed}#1`)).did.at(-1)).toBe('play callback-refused');
    blocked.add({ number: numberOf(4), reason, anonymous, verstat, dialled });
    const other = await asks(3, `520${numberOf(4).slice(3)}#1`);
    expect(other.did.at(-1)).toBe('play callback-refused');
    expect(store.all()).toHaveLength(1);
  });
});

/** What happens to callers, agents and the process, in random order. */
const DEED = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask' as const), who: fc.nat(4) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), who: fc.constantFrom(1_000, 12_000, 70_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('agent answers' as const, 'agent refuses' as const),
      who: fc.constant(0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('caller answers' as const, 'caller is busy' as const),
      who: fc.constant(0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), who: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), who: fc.nat(4) }) },
);

it('whatever happens, none is lost or served twice, attempts are bounded, and the first place is served first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(DEED, { maxLength: 25 }), fc.boolean(), async (deeds, isAgentFirst) => {
      const store = memoryCallbacks();
      const clock = new VirtualClock();
      const open = () => bed({ first: isAgentFirst ? 'agent' : 'caller' }, store, clock);
      let now = open();
      await now.switchboard.callbacks?.start();
      let talking: FakeLeg | null = await now.keepsBusy('1');
      const reached: string[] = [];
      const seen = (): string[] =>
        store
          .all()
          .filter(({ state }) => state === 'done')
          .map(({ id }) => id);
      for (const deed of deeds) {
        const phone = now.ringing('acme/1');
        const called = now.ringing('+49');
        if (called) expectFirst(store, called);
        if (deed.do === 'ask') (await now.asks(deed.who)).remote.hangUp();
        if (deed.do === 'pass') {
          talking?.remote.hangUp();
          talking = null;
          await now.pass(deed.who);
        }
        if (deed.do === 'agent answers') phone?.remote.answer();
        if (deed.do === 'agent refuses') phone?.remote.refuse('busy');
        if (deed.do === 'caller is busy') called?.remote.refuse('busy');
        if (deed.do === 'caller answers' && called) {
          called.remote.answer();
          await now.settled();
          called.remote.hangUp();
        }
        if (deed.do === 'cancel') {
          const id = store.all()[deed.who]?.id ?? '';
          await store.cancelCallbacks({ accountId: 'acme', which: { id }, nowMs: clock.epochMs() });
        }
        if (deed.do === 'restart') {
          now = open();
          now.telephony.register('acme/1');
          await now.switchboard.callbacks?.start();
        }
        await now.settled();
        for (const id of seen()) if (!reached.includes(id)) reached.push(id);
      }
      for (let round = 0; round < 14; round++) {
        talking?.remote.hangUp();
        await now.pass(75_000);
        now.ringing('acme/1')?.remote.answer();
        await now.settled();
        now.ringing('+49')?.remote.answer();
        await now.settled();
        for (const leg of now.telephony.dialled) if (leg.state === 'answered') leg.remote.hangUp();
        await now.settled();
      }
      // A process that died in an attempt leaves it for five minutes.
      for (const { state, attempts } of store.all()) {
        expect(['done', 'failed', 'cancelled']).toContain(state);
        expect(attempts).toBeLessThanOrEqual(RULES.attempts);
      }
      const counts = new Map<string, number>();
      for (const id of store.begun) counts.set(id, (counts.get(id) ?? 0) + 1);
      for (const { id, attempts } of store.all()) expect(counts.get(id) ?? 0).toBe(attempts);
    }),
    { numRuns: 6 },
  );
});

/** The caller who is rung has the first place of those that are due. */
function expectFirst(store: MemoryCallbacks, called: FakeLeg): void {
  const calling = store
    .all()
    .find(({ state, number }) => state === 'calling' && called.address.startsWith(number));
  if (!calling) return;
  const earlier = store
    .all()
    .filter(({ state, place, attempts }) => state === 'waiting' && attempts === 0 && place < calling.place);
  // One with an attempt behind it waits for its pause, and has its place again after it.
  expect(earlier.filter(({ askedAtMs }) => askedAtMs < calling.askedAtMs && calling.attempts === 1)).toEqual(
    [],
  );
}
