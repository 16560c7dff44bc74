// Part of the contract of telephony: calls that we make.
import { describe, expect, it } from 'vitest';
import type { Quota } from '../telephony.ts';
import { type ContractBed, EventLog } from './bed.contract.ts';

export function outgoingCalls(bed: ContractBed): void {
  describe('an outgoing call', () => {
    it('rings and is answered, and ends when the phone hangs up', async () => {
      const [phone] = await bed.network.register('ann', 1);
      const log = new EventLog();
      bed.dial('ann', log);
      const called = await phone?.called();
      await called?.ring();
      await log.has('ringing');
      await called?.answer();
      await log.has('answered');
      await called?.hangUp();
      await log.has('ended', 'ended');
      expect(log.events).toEqual([['ringing'], ['answered'], ['ended', 'ended']]);
    });

    it('is the first of two phones that answers, and the other one is cancelled', async () => {
      const [one, two] = await bed.network.register('ann', 2);
      const log = new EventLog();
      const leg = bed.dial('ann', log);
      const [first, second] = await Promise.all([one?.called(), two?.called()]);
      await first?.ring();
      await second?.ring();
      await second?.answer();
      await first?.gone();
      await log.has('answered');
      expect(log.count('answered')).toBe(1);
      leg.hangUp();
      await second?.gone();
      await log.has('ended', 'ended');
    });

    it.each(['busy', 'declined', 'unreachable'] as const)('reports that it is %s', async (how) => {
      const [phone] = await bed.network.register('ann', 1);
      const log = new EventLog();
      bed.dial('ann', log);
      await (await phone?.called())?.refuse(how);
      await log.has('ended', how);
      expect(log.count('answered')).toBe(0);
    });

    it('is cancelled while it rings', async () => {
      const [phone] = await bed.network.register('ann', 1);
      const log = new EventLog();
      const leg = bed.dial('ann', log);
      const called = await phone?.called();
      await called?.ring();
      await log.has('ringing');
      leg.hangUp();
      await called?.gone();
      await log.has('ended', 'no-answer');
      expect(log.count('ended')).toBe(1);
    });

    it('is null where a quota has no room, and the caller of dial learns which', async () => {
      await bed.network.register('ann', 1);
      const roomy = { key: 'account a', most: 1, status: 503 } as const;
      const none = { key: 'agent a/1', most: 0, status: 486 } as const;
      const full: Quota[] = [];
      const leg = bed.network.telephony.dial(
        { kind: 'phones', id: 'ann' },
        { caller: null, callerName: '', quotas: [roomy, none], full: (quota) => void full.push(quota) },
      );
      expect([leg, full]).toEqual([null, [none]]);
    });

    it('is null when no phone is registered', () => {
      expect(
        bed.network.telephony.dial({ kind: 'phones', id: 'unregistered' }, { caller: null, callerName: '' }),
      ).toBeNull();
      expect(bed.network.telephony.phonesOf('unregistered')).toEqual([]);
    });
  });
}
