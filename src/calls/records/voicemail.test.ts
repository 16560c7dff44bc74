// Voicemail messages, from the flow to the file and the row.
import { statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { hearsBeep, recordingBed, recordingFolder } from '../testing/recording-bed.ts';
import { HEADER_BYTES } from './call-recording-file.ts';

const folder = recordingFolder();

/** The size of the recording under way. */
const partBytes = (): number => {
  const part = folder.files().find((name) => name.endsWith('.part')) ?? 'none';
  return statSync(folder.path('acme', part)).size;
};

describe('a message', () => {
  it('ends with #, is stored, and the caller hears so', async () => {
    const { atBox, recordingRows, settled, saved, rows, record } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.speak(4_000);
    caller.remote.press('#');
    await settled();
    expect(caller.did.slice(-2)).toEqual(['stop recording', 'play message-saved']);
    caller.remote.listenToEnd();
    await settled();
    const [row] = recordingRows.rows.values();
    expect(row).toMatchObject({
      accountId: 'acme',
      kind: 'voicemail',
      box: 'box',
      caller: '+15550100',
      durationMs: 4_000,
      bytes: 32_058,
      heardAtMs: null,
      place: null,
    });
    expect(rows[0]).toMatchObject({ endCode: 'voicemail-left', id: row?.callId });
    expect(record()).toMatchObject({ voicemail: row?.id, recording: null });
    expect(record().trail?.filter(({ code }) => code === 'voicemail-saved')).toHaveLength(1);
    expect(saved.map(({ id }) => id)).toEqual([row?.id]);
    expect(folder.wav(row?.id ?? '')).toMatchObject({ channels: 1, claimed: 32_000 });
    expect(statSync(folder.path('acme', `${row?.id}.wav`)).mode & 0o077).toBe(0);
    expect(folder.files()).toEqual([`${row?.id}.wav`]);
  });

  // The statistics of a call that is over arrive together with the keys of others, whose INVITE comes first.
  it('is written into the record in a later turn of the loop than the one that brought its end', async () => {
    const { atBox, callRecordings, rows } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.speak(4_000);
    caller.remote.hangUp();
    await callRecordings.settled();
    for (let microtasks = 0; microtasks < 50; microtasks++) await Promise.resolve();
    expect(rows).toHaveLength(0);
    await vi.waitFor(() => expect(rows).toHaveLength(1));
  });

  it('ends with silence, most of which is not kept', async () => {
    const { atBox, recordingRows, settled } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.speak(2_000);
    caller.remote.sayNothing(5_000);
    await settled();
    expect(caller.did.at(-1)).toBe('play message-saved');
    expect([...recordingRows.rows.values()].map(({ durationMs }) => durationMs)).toEqual([2_300]);
    caller.remote.hangUp();
  });

  it('is kept when the caller hangs up, and the record waits for its outcome', async () => {
    const { atBox, recordingRows, settled, rows, record, switchboard } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await settled();
    expect(rows[0]?.endCode).toBe('voicemail-left');
    expect(record().voicemail).toBe([...recordingRows.rows.keys()][0]);
    expect(switchboard.count).toBe(0);
  });

  it('with less sound than a word is empty: nothing is stored, nothing stays on disk', async () => {
    const { atBox, recordingRows, settled, rows, record } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.speak(300);
    caller.remote.press('#');
    await settled();
    expect(rows[0]?.endCode).toBe('voicemail-empty');
    expect(record().voicemail).toBeNull();
    expect([...recordingRows.rows]).toEqual([]);
    expect(folder.files()).toEqual([]);
  });

  it('is refused by a full box: an apology instead of the beep, and the record says why', async () => {
    const { call, atBox, recordingRows, settled, rows, record, callRecordings } = recordingBed(
      folder.path(),
      {
        max_voicemails: 2,
      },
    );
    const first = await atBox();
    const second = await atBox();
    first.remote.speak(2_000);
    first.remote.hangUp();
    await vi.waitFor(() => expect(recordingRows.rows.size).toBe(1));
    const full = await call('200');
    full.remote.listenToEnd();
    await vi.waitFor(() => expect(full.did.at(-1)).toBe('play apology'));
    full.remote.listenToEnd();
    await vi.waitFor(() => expect(rows.at(-1)?.endCode).toBe('voicemail-full'));
    expect(record().trail?.map(({ code }) => code)).toContain('voicemail-full');
    expect(record().voicemail).toBeNull();
    expect(full.did).not.toContain('record');
    // A message under way is kept, and a deletion makes room.
    second.remote.speak(2_000);
    second.remote.hangUp();
    await settled();
    expect([recordingRows.rows.size, folder.files().length]).toEqual([2, 2]);
    const [oldest] = recordingRows.rows.values();
    if (oldest) await callRecordings.remove(oldest);
    (await atBox()).remote.hangUp();
  });

  it('is accepted when the database does not answer whether there is room', async () => {
    const { call, recordingRows, settled } = recordingBed(folder.path(), { max_voicemails: 1 });
    recordingRows.countMessages = () => new Promise(() => undefined);
    const caller = await call('200');
    caller.remote.listenToEnd();
    await hearsBeep(caller);
    caller.remote.listenToEnd();
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await settled();
    expect(recordingRows.rows.size).toBe(1);
  });

  it.each(['before', 'during'])('that ends %s the beep is empty, too', async (when) => {
    for (const leave of ['press', 'hangUp'] as const) {
      const { call, settled, rows, errors, clock } = recordingBed(folder.path());
      const caller = await call('200');
      caller.remote.listenToEnd();
      if (when === 'during') await hearsBeep(caller);
      expect(caller.did.includes('play beep tone')).toBe(when === 'during');
      if (leave === 'press') caller.remote.press('#');
      else caller.remote.hangUp();
      await settled();
      expect(rows[0]?.endCode).toBe(leave === 'press' ? 'voicemail-empty' : 'caller-hung-up');
      expect(caller.did).not.toContain('record');
      if (when === 'before') expect(caller.did).not.toContain('play beep tone');
      if (when === 'during' && leave === 'press') expect(caller.did).toContain('stop');
      expect(errors).toEqual([]);
      expect(clock.running).toBe(0);
    }
  });

  it('of a caller who hangs up without a word is empty, and the record says so', async () => {
    const { atBox, settled, rows, record, recordingRows } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.speak(300);
    caller.remote.hangUp();
    await settled();
    const { trail, voicemail } = record();
    expect(trail?.map(({ code }) => code).slice(-2)).toEqual(['voicemail-empty', 'ended']);
    expect(trail?.at(-1)?.text).toContain('The caller hung up.');
    expect([voicemail, recordingRows.rows.size]).toEqual([null, 0]);
    expect(rows[0]).toMatchObject({ endCode: 'caller-hung-up', cause: 16 });
  });

  it('that the disk did not take ends as voicemail-failed, also when the caller hung up', async () => {
    const { atBox, settled, rows, record } = recordingBed(folder.path());
    writeFileSync(folder.path('acme'), 'a file where the folder should be');
    const caller = await atBox();
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await settled();
    expect(rows[0]?.endCode).toBe('voicemail-failed');
    expect(
      record()
        .trail?.map(({ code }) => code)
        .slice(-2),
    ).toEqual(['voicemail-failed', 'ended']);
    expect(record().voicemail).toBeNull();
  });

  it('of a caller whose audio stopped without a word ends as caller-lost', async () => {
    const { atBox, settled, rows, record } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.vanish();
    await settled();
    expect(rows[0]).toMatchObject({ endCode: 'caller-lost', cause: 102 });
    expect(record().trail?.map(({ code }) => code)).toContain('voicemail-empty');
  });

  it('whose beep fails ends with an apology, and no other call does', async () => {
    const { call, settled, rows, errors, switchboard } = recordingBed(folder.path());
    const well = await call('200');
    const caller = await call('200');
    caller.remote.listenToEnd();
    const play = caller.play.bind(caller);
    caller.play = (playback, sound, options) => {
      if (sound.kind === 'tone') throw new Error('a bug');
      play(playback, sound, options);
    };
    await vi.waitFor(() => expect(caller.did.at(-1)).toBe('play apology'));
    caller.remote.listenToEnd();
    await settled();
    expect(errors).toHaveLength(1);
    expect(rows.map(({ endCode }) => endCode)).toEqual(['internal-error']);
    expect([switchboard.count, well.state]).toEqual([1, 'answered']);
  });

  it('that a stop of the service cuts off is kept', async () => {
    const { atBox, settled, switchboard, record, recordingRows, rows } = recordingBed(folder.path());
    const caller = await atBox();
    caller.remote.speak(2_000);
    switchboard.hangUpAll();
    await settled();
    const { trail, voicemail } = record();
    expect(rows[0]?.endCode).toBe('service-stopped');
    expect(trail?.map(({ code }) => code).slice(-2)).toEqual(['voicemail-saved', 'ended']);
    expect(voicemail).toBe([...recordingRows.rows.keys()][0]);
  });

  it('survives an outage of the database: it is stored afterwards', async () => {
    const { atBox, recordingRows, settled, callRecordings, problems, saved, record } = recordingBed(
      folder.path(),
    );
    recordingRows.isAway = true;
    const caller = await atBox();
    caller.remote.speak(2_000);
    caller.remote.press('#');
    await settled();
    expect(caller.did.at(-1)).toBe('play message-saved');
    expect(problems).toHaveLength(1);
    expect(saved).toEqual([]);
    recordingRows.isAway = false;
    await callRecordings.recover();
    expect([...recordingRows.rows.keys()]).toEqual(saved.map(({ id }) => id));
    expect(saved).toHaveLength(1);
    caller.remote.listenToEnd();
    await settled();
    expect(record().voicemail).toBe(saved[0]?.id);
    expect(folder.files()).toHaveLength(1);
  });

  it('of a process that died is finished by the next one', async () => {
    const first = recordingBed(folder.path());
    const caller = await first.atBox();
    caller.remote.speak(2_000);
    await vi.waitFor(() => expect(partBytes()).toBe(HEADER_BYTES + 16_000));
    const endings = folder.files().map((name) => name.slice(-5));
    expect(endings.sort()).toEqual(['.json', '.part']);
    const next = recordingBed(folder.path());
    writeFileSync(folder.path('acme', 'half-a-note.json'), '{"id":');
    await next.callRecordings.recover();
    const [row] = next.recordingRows.rows.values();
    expect(row).toMatchObject({ kind: 'voicemail', box: 'box', durationMs: 2_000 });
    expect(folder.wav(row?.id ?? '').claimed).toBe(16_000);
    expect(folder.files()).toEqual([`${row?.id}.wav`]);
    await next.callRecordings.recover();
    expect(next.saved).toHaveLength(1);
    caller.remote.hangUp();
    await first.settled();
    expect(folder.files()).toEqual([`${row?.id}.wav`]);
  });
});
