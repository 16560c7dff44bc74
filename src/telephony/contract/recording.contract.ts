// Part of the contract of telephony: recordings of one leg.
import { describe, expect, it } from 'vitest';
import { type ContractBed, EventLog, RecordingBuffer } from './bed.contract.ts';

export function recording(bed: ContractBed): void {
  describe('a leg that is recorded', () => {
    it('delivers what was said until it is stopped, and reports that once', async () => {
      const { leg, caller } = await bed.answered(new EventLog());
      const recording = new RecordingBuffer();
      leg.record({ maxMs: 60_000, silenceMs: null }, recording);
      await caller.sendSound(1_500);
      leg.stopRecording();
      leg.stopRecording();
      expect(await recording.over()).toEqual(['stopped']);
      expect(recording.bytes).toBeGreaterThan(1_300 * 8);
      expect(recording.soundMs).toBeGreaterThan(1_000);
      await caller.hangUp();
      expect(recording.ends).toHaveLength(1);
    });

    it('keeps what was said until the caller hung up', async () => {
      const log = new EventLog();
      const { leg, caller } = await bed.answered(log);
      const recording = new RecordingBuffer();
      leg.record({ maxMs: 60_000, silenceMs: 30_000 }, recording);
      await caller.sendSound(600);
      await caller.hangUp();
      expect(await recording.over()).toEqual(['ended']);
      expect(recording.bytes).toBeGreaterThan(500 * 8);
      await log.has('ended', 'ended');
      const late = new RecordingBuffer();
      leg.record({ maxMs: 60_000, silenceMs: null }, late);
      expect(await late.over()).toEqual(['ended']);
    });

    it('ends at its longest time, and after silence', async () => {
      const { leg, caller } = await bed.answered(new EventLog());
      const long = new RecordingBuffer();
      leg.record({ maxMs: 400, silenceMs: null }, long);
      await caller.sendSound(700);
      expect(await long.over()).toEqual(['length']);
      expect(long.bytes).toBe(400 * 8);
      const quiet = new RecordingBuffer();
      leg.record({ maxMs: 60_000, silenceMs: 300 }, quiet);
      await caller.sendSilence(600);
      expect(await quiet.over()).toEqual(['silence']);
      await caller.hangUp();
    });
  });
}
