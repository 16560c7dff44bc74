// The limit of outbound calls, by every way to call out.
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { MemorySlots } from '../sharing/memory/slots.ts';
import type { Release, Slots } from '../sharing/ports/slots.ts';
import { FakeLeg } from '../telephony/fake/fake-leg.ts';
import { OutboundSlots } from './outbound-slots.ts';
import type { AccountRoutes } from './routing/routing.ts';
import { accountRoutes, lastDialled } from './testing/call-bed.ts';
import { OPERATOR, office, TRUNK } from './testing/office.ts';

describe('outbound calls', () => {
  it('are limited to max_outbound_calls of the account, whatever makes them (threat T1)', async () => {
    const { telephony, switchboard, call } = office({ max_outbound_calls: 1 });
    for (const id of ['acme/4', 'acme/1']) telephony.register(id);
    telephony.setTrunks([TRUNK]);
    const first = await call('+441111', { peer: { kind: 'phone', id: 'acme/1' } });
    expect(await telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } })).toEqual({
      status: 403,
    });
    expect(switchboard.operator.clickToCall('acme', { id: 'x', eid: '4', number: '+443333' })).toEqual({
      refused: 'outbound-full',
    });
    // A menu that leads to an agent with a number to follow: that phone cannot be reached now.
    const caller = await call('100');
    caller.remote.press('3');
    expect(telephony.dialled.filter(({ address }) => address.includes('t1'))).toHaveLength(1);
    first.remote.hangUp();
    expect(await telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } })).toBeInstanceOf(
      FakeLeg,
    );
  });

  it('count each slot once, for each account by itself, and wait for nothing in one process', () => {
    const slots = new OutboundSlots(new MemorySlots());
    const account = (id: string, max_outbound_calls: number) =>
      accountRoutes({ id, settings: { ...DEFAULT_SETTINGS, max_outbound_calls } });
    const acquire = (to: AccountRoutes): Release | null => {
      const slot = slots.acquire(to, { kind: 'trunk', id: `${to.id}/t1`, number: '+441111' }, 'call');
      if (slot instanceof Promise) throw new Error('a promise');
      return slot;
    };
    expect(slots.isFull(account('none', 0))).toBe(true);
    const acme = account('acme', 2);
    const releaseFirst = acquire(acme);
    const releaseSecond = acquire(acme);
    expect(acquire(acme)).toBeNull();
    expect(acquire(account('other', 1))).not.toBeNull();
    releaseFirst?.();
    releaseFirst?.();
    expect(acquire(acme)).not.toBeNull();
    expect(acquire(acme)).toBeNull();
    releaseSecond?.();
    expect(slots.isFull(acme)).toBe(false);
  });

  it.each([
    [false, null],
    [true, 3],
  ])('on a trunk are known of all nodes (shared: %s), which one alone does not ask', (isShared, calls) => {
    const slots = Object.assign(new MemorySlots(), {
      isShared,
      used: (key: string) => (key === 'trunk acme/t1' ? 3 : 0),
    });
    expect(new OutboundSlots(slots).trunkCalls('acme/t1')).toBe(calls);
  });

  it('keep no slot for a trunk that cannot be dialled', async () => {
    const { telephony, call } = office({ max_outbound_calls: 1 });
    (await call('100')).remote.press('3');
    telephony.setTrunks([TRUNK]);
    (await call('100')).remote.press('3');
    expect(telephony.dialled.map(({ address }) => address)).toEqual(['+441234 by acme/t1']);
  });

  it.each(['by the agent', 'by request'])(
    'keep their slot when they are transferred %s, and release it when they end',
    async (way) => {
      const { telephony, switchboard, call } = office({ max_outbound_calls: 1 });
      for (const id of ['acme/1', 'acme/2']) telephony.register(id);
      telephony.setTrunks([TRUNK]);
      const again = () => telephony.call('+442222', { peer: { kind: 'phone', id: 'acme/1' } });
      const agentLeg = await call('+441111', { peer: { kind: 'phone', id: 'acme/1' } });
      const outside = lastDialled(telephony);
      outside.remote.answer();
      if (way === 'by the agent') expect(agentLeg.remote.transfer('1002')).toBe(true);
      else {
        const { id = '' } = switchboard.operator.liveCallsOf('acme')[0] ?? {};
        expect(switchboard.operator.transferTo('acme', id, 'called', 'extension||2', OPERATOR)).toBe(
          'transferred',
        );
      }
      await Promise.resolve();
      lastDialled(telephony).remote.answer();
      expect(outside.other?.address).toBe('acme/2');
      expect(await again()).toEqual({ status: 403 });
      outside.remote.hangUp();
      expect(await again()).toBeInstanceOf(FakeLeg);
    },
  );

  describe('that nodes count together', () => {
    /** Slots that another node has to agree to. */
    function sharedOffice() {
      const asked: ((slot: Release | null) => void)[] = [];
      let held = 0;
      const release = (): void => {
        held -= 1;
      };
      const slots: Slots = {
        isShared: true,
        acquire: () =>
          new Promise((resolve) => {
            asked.push(resolve);
          }),
        note: () => {
          held += 1;
          return release;
        },
        used: () => 0,
        nodeDied: () => undefined,
      };
      const bed = office({}, { slots });
      bed.telephony.setTrunks([TRUNK]);
      const answer = async (isFree: boolean): Promise<void> => {
        if (isFree) held += 1;
        asked.shift()?.(isFree ? release : null);
        await settled();
      };
      return { ...bed, answer, held: () => held, asked };
    }
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const agent = { peer: { kind: 'phone', id: 'acme/1' } } as const;

    it('are dialled when the slot is there, and end as unreachable without one', async () => {
      const { telephony, call, answer, held } = sharedOffice();
      await call('+441111', agent);
      expect(telephony.dialled).toEqual([]);
      await answer(true);
      expect(telephony.dialled.map(({ address }) => address)).toEqual(['+441111 by acme/t1']);
      lastDialled(telephony).remote.hangUp();
      expect(held()).toBe(0);
      await call('+442222', agent);
      await answer(false);
      expect([telephony.dialled.length, held()]).toEqual([1, 0]);
    });

    it('give the slot back when the caller has hung up meanwhile, and have one record', async () => {
      const { telephony, call, answer, held, rows, switchboard } = sharedOffice();
      const leg = await call('+441111', agent);
      leg.remote.hangUp();
      await answer(true);
      expect(telephony.dialled).toEqual([]);
      expect([held(), rows.length, switchboard.count]).toEqual([0, 1, 0]);
    });

    it('count calls that come from a trunk without waiting', async () => {
      const { call, held, asked } = sharedOffice();
      const leg = await call('100', { peer: { kind: 'trunk', id: 'acme/t1' } });
      expect([held(), asked.length]).toEqual([1, 0]);
      leg.remote.hangUp();
      expect(held()).toBe(0);
    });
  });
});
