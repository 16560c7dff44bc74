// Part of the contract of telephony: several legs, and draining.
import { expect, it } from 'vitest';
import { type ContractBed, EventLog, RecordingBuffer } from './bed.contract.ts';
import { SOUND } from './test-network.contract.ts';

export function connectedLegs(bed: ContractBed): void {
  it('two legs that are connected hear each other', async () => {
    const [ours, theirs] = [new EventLog(), new EventLog()];
    const { leg, caller } = await bed.answered(ours);
    const { leg: other, called } = await bed.joined(leg, 'ann', theirs);
    leg.connect(other);
    await bed.network.talk(caller, called);
    await caller.hangUp();
    await ours.has('ended', 'ended');
    other.hangUp();
    await theirs.has('ended', 'ended');
  });

  it('two legs that are connected are recorded as two channels', async () => {
    const { leg, caller } = await bed.answered(new EventLog());
    const log = new EventLog();
    const { leg: other } = await bed.joined(leg, 'ann', log);
    leg.connect(other);
    const recording = new RecordingBuffer();
    leg.record({ maxMs: 60_000, silenceMs: null, with: other }, recording);
    await caller.sendSound(1_000);
    await caller.hangUp();
    expect(await recording.over()).toEqual(['ended']);
    expect(recording.bytes).toBeGreaterThan(2 * 800 * 8);
    other.hangUp();
    await log.has('ended', 'ended');
  });

  it('a third leg listens in: it hears both, and is heard by none, one or both', async () => {
    const { leg, caller } = await bed.answered(new EventLog());
    const [agents, boss] = [new EventLog(), new EventLog()];
    const { leg: agent, called } = await bed.joined(leg, 'ann', agents);
    leg.connect(agent);
    await bed.network.talk(caller, called);
    const { leg: listener, called: listening } = await bed.joined(leg, 'boss', boss);
    for (const mode of ['monitor', 'whisper', 'barge', 'monitor'] as const) {
      listener.listenIn(agent, mode);
      await bed.network.listens(listening, called, caller, mode);
    }
    listener.listenIn(agent, 'barge');
    await listening.hangUp();
    await boss.has('ended', 'ended');
    await bed.network.talk(caller, called);
    await caller.hangUp();
    agent.hangUp();
    await agents.has('ended', 'ended');
  });

  it('refuses new calls while it drains, and keeps those it has', async () => {
    const log = new EventLog();
    const { leg, caller } = await bed.answered(log);
    bed.network.telephony.drain();
    const late = await bed.network.call('100');
    expect(await late.status()).toBe(503);
    expect(Number(late.retryAfter())).toBeGreaterThan(0);
    leg.play(1, SOUND);
    await log.has('played', 1);
    await caller.hangUp();
    await log.has('ended', 'ended');
  });
}
