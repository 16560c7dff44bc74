// Recordings whose sound goes to a store, or stays with the node that made them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FolderStore } from '../../sound-store/folder/folder-store.ts';
import type { SoundStore } from '../../sound-store/sound-store.ts';
import type { CallRecordingRow } from '../../storage/ports/call-recordings.ts';
import { StorageError } from '../../storage/storage.ts';
import { recordingBed, recordingFolder } from '../testing/recording-bed.ts';
import { wavHeader } from './call-recording-file.ts';
import { ownSoundPart, RecordedSound, type RecordedSoundParts } from './recorded-sound.ts';

const folder = recordingFolder();

/** A shared folder that can be away. */
class TestStore extends FolderStore {
  isAway = false;
  puts = 0;

  override async put(key: string, file: string): Promise<void> {
    this.puts += 1;
    if (this.isAway) throw new StorageError('unavailable', 'away');
    await super.put(key, file);
  }

  override async remove(key: string): Promise<void> {
    if (this.isAway) throw new StorageError('unavailable', 'away');
    await super.remove(key);
  }
}

let store: TestStore;
let rows: string[];
beforeEach(() => {
  for (const name of ['a', 'b', 'store']) mkdirSync(folder.path(name));
  store = new TestStore(folder.path('store'));
  rows = [];
});

const files = (name: string): string[] =>
  readdirSync(folder.path(name), { recursive: true, encoding: 'utf8' }).filter((each) => /\.\w+$/.test(each));

function node(name: string, sound: SoundStore | null = store, more: Partial<RecordedSoundParts> = {}) {
  const storeAt = (place: string): SoundStore | null => (sound?.place === place ? sound : null);
  const bed = recordingBed(folder.path(name), {}, { node: name, store: sound, storeAt, ...more });
  const leave = async (): Promise<void> => {
    const caller = await bed.atBox();
    caller.remote.speak(2_000);
    caller.remote.hangUp();
    await bed.settled();
  };
  const row = (): CallRecordingRow => {
    const [first] = bed.recordingRows.rows.values();
    if (!first) throw new Error('There is no row.');
    return first;
  };
  return { ...bed, leave, row };
}

const bytesOf = async (reading: ReturnType<ReturnType<typeof node>['callRecordings']['open']>) => {
  const sound = await reading;
  const pieces: Buffer[] = [];
  for await (const piece of sound?.read(0, sound.length - 1, new AbortController().signal) ?? [])
    pieces.push(piece);
  return sound && Buffer.concat(pieces);
};

describe('with a store', () => {
  it('sound is in the store before its row is, and nowhere else after it', async () => {
    const a = node('a');
    const save = vi.spyOn(a.recordingRows, 'saveCallRecording');
    save.mockImplementation(async (row) => {
      rows.push(...files('store'));
      a.recordingRows.rows.set(row.id, row);
    });
    await a.leave();
    const { id, place, bytes } = a.row();
    expect([place, rows, files('store'), files('a')]).toEqual([
      'folder',
      [`acme/${id}.wav`],
      [`acme/${id}.wav`],
      [],
    ]);
    const b = node('b');
    expect(await bytesOf(b.callRecordings.open(a.row()))).toHaveLength(bytes);
  });

  it('a call does not wait for the store, and a message waits on disk while it is away', async () => {
    const a = node('a');
    store.isAway = true;
    await a.leave();
    expect([a.recordingRows.rows.size, a.record().voicemail, a.problems]).toEqual([
      0,
      expect.any(String),
      ['recording not stored; retrying'],
    ]);
    expect(
      files('a')
        .map((name) => name.replace(/.*\./, ''))
        .toSorted(),
    ).toEqual(['json', 'wav']);
    // As the next process, after kill -9.
    const after = node('a');
    await after.callRecordings.recover();
    expect(after.recordingRows.rows.size).toBe(0);
    store.isAway = false;
    await after.callRecordings.recover();
    expect([after.recordingRows.rows.size, files('a'), files('store')]).toEqual([
      1,
      [],
      [expect.any(String)],
    ]);
    expect(after.saved).toHaveLength(1);
  });

  it('one that is away is asked once per round, not for every recording', async () => {
    const a = node('a');
    store.isAway = true;
    for (let message = 0; message < 3; message++) await a.leave();
    store.puts = 0;
    await a.callRecordings.recover();
    expect(store.puts).toBe(1);
    store.isAway = false;
    await a.callRecordings.recover();
    expect(a.recordingRows.rows.size).toBe(3);
  });

  it('a process killed after the row finishes without another row or file', async () => {
    const a = node('a');
    await a.leave();
    const { id } = a.row();
    const call = { id: 'call', accountId: 'acme', caller: null, callerName: '', dialled: '200' };
    const note = { id, kind: 'voicemail', call, box: 'box', eid: null, startedAtMs: 0, channels: 1 };
    mkdirSync(folder.path('a', 'acme'), { recursive: true });
    writeFileSync(folder.path('a', 'acme', `${id}.json`), JSON.stringify(note));
    await a.callRecordings.recover();
    expect([a.recordingRows.rows.size, files('a'), files('store')]).toEqual([1, [], [`acme/${id}.wav`]]);
  });

  it('a deletion at any node removes the sound, and deletes nothing while the store is away', async () => {
    const a = node('a');
    await a.leave();
    const b = node('b');
    store.isAway = true;
    await expect(b.callRecordings.remove(a.row())).rejects.toBeInstanceOf(StorageError);
    expect(files('store')).toHaveLength(1);
    store.isAway = false;
    expect(await b.callRecordings.remove(a.row())).toEqual({ left: false });
    expect([files('store'), b.recordingRows.removals]).toEqual([[], []]);
    expect(await b.callRecordings.open(a.row())).toBeNull();
  });

  it('what is in a store that this node does not reach is said, not taken for gone', async () => {
    const a = node('a');
    await a.leave();
    const b = node('b', null);
    await expect(b.callRecordings.open(a.row())).rejects.toThrow('The sound is in folder, which');
    await expect(b.callRecordings.remove(a.row())).rejects.toThrow('The sound is in folder, which');
  });
});

describe('without a store', () => {
  it('a row names its node, and another node leaves the removal to it', async () => {
    const a = node('a', null);
    await a.leave();
    expect([a.row().place, files('a'), a.callRecordings]).toEqual([
      'node:a',
      [expect.stringMatching(/\.wav$/)],
      expect.anything(),
    ]);
    const b = node('b', null);
    b.recordingRows.rows.set(a.row().id, a.row());
    await expect(b.callRecordings.open(a.row())).rejects.toThrow(
      'in the data folder of node a, which does not run',
    );
    expect(await b.callRecordings.remove(a.row())).toEqual({ left: true });
    a.recordingRows.removals = b.recordingRows.removals;
    await b.callRecordings.removeLeft();
    expect(files('a')).toHaveLength(1);
    await a.callRecordings.removeLeft();
    expect([files('a'), a.recordingRows.removals]).toEqual([[], []]);
  });

  it('another node reads it in parts from the one that has it, and by no name but an id', async () => {
    const a = node('a', null);
    await a.leave();
    const soundPart = ownSoundPart(folder.path('a'));
    const b = node('b', null, { soundOf: (name) => (name === 'a' ? soundPart : null) });
    const whole = readFileSync(folder.path('a', files('a')[0] ?? ''));
    expect((await bytesOf(b.callRecordings.open(a.row())))?.equals(whole)).toBe(true);
    expect(await soundPart('acme', a.row().id, 50, 1_000_000)).toEqual({
      length: whole.length,
      content: whole.toString('base64', 50),
    });
    expect(await soundPart('acme', a.row().id, whole.length + 9, 10)).toMatchObject({ content: '' });
    expect(await soundPart('acme', a.row().id, 0, 0)).toEqual({ length: whole.length, content: '' });
    const sound = await b.callRecordings.open(a.row());
    const pieces: Buffer[] = [];
    for await (const piece of sound?.read(10, 19, new AbortController().signal) ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(whole.subarray(10, 20));
    expect(await soundPart('acme', `../acme/${a.row().id}`, 0, 10)).toBeNull();
    expect(await soundPart('other', a.row().id, 0, 10)).toBeNull();
  });

  it('a part has 256 KB at most, whatever another node asks for', async () => {
    mkdirSync(folder.path('a', 'acme'), { recursive: true });
    writeFileSync(folder.path('a', 'acme', 'long.wav'), Buffer.alloc(300_000));
    const part = await ownSoundPart(folder.path('a'))('acme', 'long', 0, 1_000_000);
    expect(Buffer.from(part?.content ?? '', 'base64').length).toBe(262_144);
  });

  it('of a row without a place the node that has the file removes it', async () => {
    mkdirSync(folder.path('a', 'acme'), { recursive: true });
    writeFileSync(folder.path('a', 'acme', 'old.wav'), wavHeader(1, 0));
    const [a, b] = [node('a', null), node('b', null)];
    const row = { accountId: 'acme', kind: 'voicemail', id: 'old', place: null } as const;
    b.recordingRows.rows.set('old', { ...row } as unknown as CallRecordingRow);
    expect(await b.callRecordings.remove(row)).toEqual({ left: true });
    a.recordingRows.removals = b.recordingRows.removals;
    await b.callRecordings.removeLeft();
    expect(b.recordingRows.removals).toHaveLength(1);
    await a.callRecordings.removeLeft();
    expect([existsSync(folder.path('a', 'acme', 'old.wav')), a.recordingRows.removals]).toEqual([false, []]);
  });

  it('a row of this node, and one that was restored here, are removed at once', async () => {
    const a = node('a', null);
    await a.leave();
    expect(readFileSync(folder.path('a', files('a')[0] ?? '')).length).toBe(a.row().bytes);
    expect(await a.callRecordings.remove({ ...a.row(), place: 'node:before' })).toEqual({ left: false });
    expect(files('a')).toEqual([]);
  });
});

it('of 10,000 uploads that wait for the store 5,000 may be of one account, and the last 100 of accounts with none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stuck = { place: 'stuck', put: () => new Promise(() => {}) } as unknown as SoundStore;
  const storage = {} as RecordedSoundParts['storage'];
  const sound = new RecordedSound({ folder: '', node: 'a', store: stuck, storeAt: () => stuck, storage });
  const refused = { one: 0, two: 0, three: 0 };
  const put = (accountId: keyof typeof refused, count: number): void => {
    for (let each = 0; each < count; each++)
      sound.put({ accountId, id: 'x' }).catch(() => {
        refused[accountId] += 1;
      });
  };
  // 8 run, 4 of an account, the last one of an account with none.
  put('one', 4 + 5_000 + 1);
  put('two', 3 + 4_900 + 1);
  put('three', 1 + 1 + 1);
  await new Promise((resolve) => setImmediate(resolve));
  vi.useRealTimers();
  expect(refused).toEqual({ one: 1, two: 1, three: 1 });
});
