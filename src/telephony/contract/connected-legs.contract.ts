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

  it('a side hears the sound given while the other holds, and the other again when it resumes', async () => {
    const [ours, theirs] = [new EventLog(), new EventLog()];
    const { leg, caller } = await bed.answered(ours);
    const { leg: other, called } = await bed.joined(leg, 'ann', theirs);
    leg.connect(other, SOUND);
    await bed.network.talk(caller, called);
    await caller.hold();
    await ours.has('held');
    await bed.network.hearsOnHold(called);
    await called.hold();
    await theirs.has('held');
    await caller.resume();
    await ours.has('resumed');
    await bed.network.hearsOnHold(caller);
    await called.resume();
    await theirs.has('resumed');
    await bed.network.talk(caller, called);
    await caller.hold();
    leg.disconnect();
    leg.connect(other, SOUND);
    await bed.network.hearsOnHold(called);
    await caller.hangUp();
    other.hangUp();
    await theirs.has('ended', 'ended');
  });

  it('two legs that are connected hear each other before either is answered, where both have early media', async () => {
    const [ours, theirs] = [new EventLog(), new EventLog()];
    const { leg, caller } = await bed.taken(ours);
    const [phone] = await bed.network.register('ann', 1);
    const other = bed.dial('ann', theirs, leg);
    const called = await phone?.called();
    if (!called) throw new Error('ann was not called');
    await called.ringWithSound();
    await theirs.has('early media');
    expect(theirs.events).toEqual([['ringing'], ['early media']]);
    leg.progress();
    leg.progress();
    leg.connect(other);
    await bed.network.talk(caller, called);
    await called.answer();
    await theirs.has('answered');
    leg.answer();
    expect(await caller.status()).toBe(200);
    await bed.network.talk(caller, called);
    await caller.hangUp();
    await ours.has('ended', 'ended');
    other.hangUp();
    await theirs.has('ended', 'ended');
  });

  it('a sound is played to a caller who is not answered, and the call is refused after it', async () => {
    const log = new EventLog();
    const { leg, caller } = await bed.taken(log);
    leg.progress();
    leg.play(1, SOUND);
    await log.has('played', 1);
    leg.hangUp(17);
    await caller.gone();
    await log.has('ended', 'failed');
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

  it('legs in a conference hear all others, and not themselves', async () => {
    const { leg, caller } = await bed.answered(new EventLog());
    const [anns, bobs] = [new EventLog(), new EventLog()];
    const { leg: ann, called: annsPhone } = await bed.joined(leg, 'ann', anns);
    const { leg: bob, called: bobsPhone } = await bed.joined(leg, 'bob', bobs);
    const conference = leg.openConference(() => undefined);
    for (const each of [leg, ann, bob]) conference?.join(each);
    await bed.network.confer([caller, annsPhone, bobsPhone]);
    const recording = new RecordingBuffer();
    conference?.record(60_000, recording);
    // The one that opened it ends: the others still hear each other.
    await caller.hangUp();
    await bed.network.confer([annsPhone, bobsPhone]);
    conference?.close();
    expect(await recording.over()).toHaveLength(1);
    for (const each of [ann, bob]) each.hangUp();
    await bobs.has('ended', 'ended');
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
