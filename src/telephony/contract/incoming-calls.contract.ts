// Part of the contract of telephony: calls that peers make.
import { describe, expect, it } from 'vitest';
import { type ContractBed, EventLog } from './bed.contract.ts';
import { MISSING, SOUND, until } from './test-network.contract.ts';

export function incomingCalls(bed: ContractBed): void {
  describe('an incoming call', () => {
    it('is refused with the status that the user returns, at once or later', async () => {
      bed.decide = () => ({ status: 486 });
      expect(await (await bed.network.call('100')).status()).toBe(486);
      bed.decide = async () => ({ status: 503, retryAfterSeconds: 7 });
      const later = await bed.network.call('100');
      expect(await later.status()).toBe(503);
      expect(later.retryAfter()).toBe('7');
    });

    it('has the dialled number and the peer', async () => {
      const { call, leg, caller } = await bed.taken(new EventLog());
      expect(call).toMatchObject({ dialled: '100', peer: { kind: 'local' } });
      leg.hangUp();
      await caller.gone();
    });

    it('lists its messages in order, complete with the statistics, where an adapter has messages', async () => {
      const log = new EventLog();
      const { leg, caller } = await bed.answered(log);
      await caller.hangUp();
      await log.has('ended', 'ended');
      await log.statistics;
      const ladder = leg.ladder?.() ?? { lines: [], leftOut: 0 };
      const times = ladder.lines.map(({ atMs }) => atMs);
      expect(times).toEqual([...times].sort((one, other) => one - other));
      expect(ladder.lines.filter(({ atMs }) => atMs > performance.now())).toEqual([]);
      const listed = ladder.lines.map(({ direction, method, status }) => `${direction} ${status} ${method}`);
      const complete = ['in 0 INVITE', 'out 200 INVITE', 'in 0 ACK', 'in 0 BYE', 'out 200 BYE'];
      expect(listed).toEqual(listed.length === 0 ? [] : complete);
      expect(ladder.leftOut).toBe(0);
    });

    it('plays a sound to its end and reports that once', async () => {
      const log = new EventLog();
      const { leg, caller } = await bed.answered(log);
      leg.play(1, SOUND);
      await log.has('played', 1);
      await caller.hangUp();
      await log.has('ended', 'ended');
      expect(log.count('played')).toBe(1);
    });

    it('does not report the end of a sound that was stopped or replaced', async () => {
      const log = new EventLog();
      const { leg, caller } = await bed.answered(log);
      leg.play(1, SOUND);
      leg.stopPlaying();
      leg.play(2, SOUND);
      leg.play(3, SOUND);
      await log.has('played', 3);
      expect(log.events).toEqual([['played', 3]]);
      await caller.hangUp();
      await log.has('ended', 'ended');
    });

    it('reports that a sound is missing, and then the end of what was played instead', async () => {
      const log = new EventLog();
      const { leg, caller } = await bed.answered(log);
      leg.play(1, MISSING);
      await log.has('played', 1);
      expect(log.events).toEqual([
        ['missing', 1],
        ['played', 1],
      ]);
      await caller.hangUp();
      await log.has('ended', 'ended');
    });

    it('reports keys in their order, each once', async () => {
      const log = new EventLog();
      const { caller } = await bed.answered(log);
      await caller.press('12*');
      await log.has('key', '*');
      expect(log.events.filter(([name]) => name === 'key')).toEqual([
        ['key', '1'],
        ['key', '2'],
        ['key', '*'],
      ]);
      await caller.hangUp();
      await log.has('ended', 'ended');
    });

    it('reports once that the caller hung up, and ignores later operations', async () => {
      const log = new EventLog();
      const { leg, caller } = await bed.answered(log);
      await caller.hangUp();
      await log.has('ended', 'ended');
      expect(log.end?.by).toBe('peer');
      leg.play(1, SOUND);
      leg.answer();
      leg.hangUp();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(log.events).toEqual([['ended', 'ended']]);
    });

    it('is hung up by us any number of times, and reports it once', async () => {
      const log = new EventLog();
      const { leg, caller } = await bed.answered(log);
      leg.hangUp(17);
      leg.hangUp();
      await caller.gone();
      await log.has('ended', 'ended');
      expect(log.end?.by).toBe('us');
      expect(log.count('ended')).toBe(1);
    });

    it('that ended while it was being routed reports it to a later listener', async () => {
      const log = new EventLog();
      let go = (): void => undefined;
      bed.decide = (call) =>
        new Promise((resolve) => {
          go = () => {
            call.leg.listen(log.listener());
            resolve(null);
          };
        });
      const caller = await bed.network.call('100');
      await until(() => bed.network.telephony.legs === 1);
      await caller.hangUp();
      await until(() => bed.network.telephony.legs === 0);
      // Long enough for the statistics to be complete.
      await new Promise((resolve) => setTimeout(resolve, 100));
      go();
      await log.has('ended', 'failed');
      expect(log.count('ended')).toBe(1);
    });
  });
}
