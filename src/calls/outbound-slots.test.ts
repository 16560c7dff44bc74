// The limit of outbound calls, by every way to call out.
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { FakeLeg } from '../telephony/fake/fake-leg.ts';
import { OutboundSlots } from './outbound-slots.ts';
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
    expect(switchboard.clickToCall('acme', { id: 'x', eid: '4', number: '+443333' })).toEqual({
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

  it('count each slot once, for each account by itself', () => {
    const slots = new OutboundSlots();
    const account = (id: string, max_outbound_calls: number) =>
      accountRoutes({ id, settings: { ...DEFAULT_SETTINGS, max_outbound_calls } });
    expect(slots.isFull(account('none', 0))).toBe(true);
    const acme = account('acme', 2);
    const releaseFirst = slots.acquire(acme);
    const releaseSecond = slots.acquire(acme);
    expect(slots.acquire(acme)).toBeNull();
    expect(slots.acquire(account('other', 1))).not.toBeNull();
    releaseFirst?.();
    releaseFirst?.();
    expect(slots.acquire(acme)).not.toBeNull();
    expect(slots.acquire(acme)).toBeNull();
    releaseSecond?.();
    expect(slots.isFull(acme)).toBe(false);
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
        const { id = '' } = switchboard.liveCallsOf('acme')[0] ?? {};
        expect(switchboard.transferTo('acme', id, 'called', 'extension||2', OPERATOR)).toBe('transferred');
      }
      await Promise.resolve();
      lastDialled(telephony).remote.answer();
      expect(outside.other?.address).toBe('acme/2');
      expect(await again()).toEqual({ status: 403 });
      outside.remote.hangUp();
      expect(await again()).toBeInstanceOf(FakeLeg);
    },
  );
});
