// Recorded conversations, and legs that listen in.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { office, TRUNK } from '../testing/office.ts';
import { recordingBed, recordingFolder } from '../testing/recording-bed.ts';
import { Recorder } from './recorder.ts';

const folder = recordingFolder();
const leg = (id: string): FakeLeg => new FakeLeg(id, 'outgoing', id, () => undefined);

describe('a conversation', () => {
  it('is recorded on two channels with a notice tone when it came through a menu that records', async () => {
    const { talk, recordingRows, settled, clock, rows, record } = recordingBed(folder.path());
    const { caller, phone } = await talk('100');
    expect(caller.did.slice(-2)).toEqual(['play notice tone', `record with ${phone.address}`]);
    expect(phone.did).toEqual(['play notice tone']);
    caller.remote.listenToEnd();
    expect(caller.isRecorded).toBe(true);
    clock.advance(15_000);
    expect(phone.did).toHaveLength(2);
    caller.remote.speak(3_000);
    caller.remote.hangUp();
    await settled();
    const [row] = recordingRows.rows.values();
    expect(row).toMatchObject({ kind: 'call', eid: '1', box: null, durationMs: 3_000 });
    expect(record()).toMatchObject({ recording: row?.id, voicemail: null });
    expect(record().legs?.map(({ role }) => role)).toEqual(['caller', 'called']);
    expect(folder.wav(row?.id ?? '')).toMatchObject({ channels: 2, claimed: 48_000 });
    expect(rows[0]?.json).toContain('recording-started');
    expect(clock.running).toBe(0);
  });

  it('is recorded for an agent with record_calls, without a notice tone where the account has none', async () => {
    const { talk, recordingRows, settled } = recordingBed(folder.path(), { recording_notice_tone: false });
    const { caller, phone } = await talk('302');
    expect(caller.did.at(-1)).toBe(`record with ${phone.address}`);
    expect(phone.did).toEqual([]);
    caller.remote.speak(1_000);
    phone.remote.hangUp();
    await settled();
    expect([...recordingRows.rows.values()]).toMatchObject([{ kind: 'call', eid: '2' }]);
  });

  it('is not recorded otherwise', async () => {
    const { talk, settled } = recordingBed(folder.path());
    const { caller } = await talk('301');
    expect(caller.isRecorded).toBe(false);
    caller.remote.hangUp();
    await settled();
    expect(folder.files()).toEqual([]);
  });

  it('can be listened to by a third leg, which is hung up with it', async () => {
    const { talk, switchboard, telephony } = recordingBed(folder.path());
    const { caller, phone } = await talk('301');
    const [call] = switchboard.calls;
    const boss = telephony.dial({ kind: 'phones', id: 'acme/2' }, { caller: null, callerName: '' });
    if (!boss) throw new Error('No leg was dialled.');
    boss.remote.answer();
    expect(call?.listenIn(boss, 'whisper')).toBe(true);
    expect(boss.listening).toEqual({ target: phone, mode: 'whisper' });
    expect(call?.listenIn(boss, 'barge')).toBe(true);
    expect(call?.legs.callerLeg).toBe(caller);
    const more = Array.from({ length: 10 }, () =>
      telephony.dial({ kind: 'phones', id: 'acme/2' }, { caller: null, callerName: '' }),
    );
    const joined = more.filter((leg) => leg && call?.listenIn(leg, 'monitor'));
    expect(joined).toHaveLength(9);
    more.at(-1)?.hangUp();
    phone.remote.hangUp();
    expect(boss.state).toBe('ended');
    expect(call?.listenIn(boss, 'monitor')).toBe(false);
  });
});

describe('legs that listen in', () => {
  it('are ten at most; one that left makes room, and only those that are left are hung up', () => {
    const [callerLeg, calledLeg] = [leg('caller'), leg('called')];
    const recorder = new Recorder({ callerLeg, calledLeg }, new VirtualClock(), () => undefined);
    const listeners = Array.from({ length: 10 }, (_, index) => leg(`${index}`));
    for (const listener of listeners) {
      expect(recorder.hasRoom).toBe(true);
      recorder.expect(listener, 'monitor');
    }
    recorder.forget(leg('unknown'));
    expect(recorder.hasRoom).toBe(false);
    const [first] = listeners;
    if (first) recorder.forget(first);
    expect(recorder.hasRoom).toBe(true);
    recorder.end();
    expect(listeners.filter(({ state }) => state === 'ended')).toEqual(listeners.slice(1));
    expect(recorder.hasRoom).toBe(true);
  });

  it('whisper to the agent, also where the agent is the caller', async () => {
    const { call, telephony, switchboard } = office();
    telephony.register('acme/2');
    telephony.setTrunks([TRUNK]);
    const agent = await call('+441111', { peer: { kind: 'phone', id: 'acme/1' } });
    lastDialled(telephony).remote.answer();
    const { id = '' } = switchboard.operator.liveCallsOf('acme')[0] ?? {};
    expect(switchboard.operator.listenIn('acme', id, '2', 'whisper')).toBe('rings');
    const third = lastDialled(telephony);
    third.remote.answer();
    expect(third.listening).toEqual({ target: agent, mode: 'whisper' });
  });
});
