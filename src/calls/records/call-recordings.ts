// Voicemail messages and recorded calls: audio of a leg becomes a file, then a row, then an event. A message whose caller heard
// that it is saved survives the death of the process and an outage of the database. On disk the folder and the table keep their
// first name, `captures`.
import { access, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { unlessAbsent } from '../../kit/data-folder.ts';
import type { StoredSound } from '../../sound-store/sound-store.ts';
import type { Actor } from '../../storage/ports/audit.ts';
import type { CallRecordingAddress, CallRecordingRow } from '../../storage/ports/call-recordings.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import type { RecordingEnd, RecordingSink } from '../../telephony/telephony.ts';
import type { CallFacts } from './call-record.ts';
import {
  CallRecordingFile,
  HEADER_BYTES,
  lastTouchedMs,
  type RecordingPaths,
  recordingPaths,
  rescue,
} from './call-recording-file.ts';
import { RecordedSound, type RecordedSoundParts } from './recorded-sound.ts';
import { type RecordingRefusal, RecordingSpace } from './recording-space.ts';
import { isRunning } from './running-calls.ts';

/** A message with less sound than this is empty: a cough, or the click of hanging up. */
const MIN_SOUND_MS = 800;
/** Silence that is left at the end of a message. */
const TAIL_MS = 300;
/** How long a caller waits for the count of messages; after it there is room: one message too many is better than one lost. */
const ROOM_MS = 1_000;
const RETRY_MS = 30_000;
/** A file of a running recording grows every second: one that has not for so long is abandoned. */
const ABANDONED_MS = 60_000;
const BATCH = 200;

/** What is known when a recording begins; the note beside the file holds it until the database does. */
export interface CallRecordingFacts {
  readonly id: string;
  readonly kind: CallRecordingRow['kind'];
  readonly call: CallFacts;
  readonly box: string | null;
  readonly eid: string | null;
  readonly startedAtMs: number;
}

/** The content of a note: the facts, and which process records. */
interface RecordingNote extends CallRecordingFacts {
  readonly channels: number;
  /** Missing in notes of earlier versions. */
  readonly maker?: { readonly host: string; readonly pid: number };
}

/** `kept`: complete on disk, and stored in the database as soon as that is possible. */
export type RecordingOutcome = 'saved' | 'kept' | 'empty' | 'failed' | 'full';

export interface CallRecording extends RecordingSink {
  readonly id: string;
  /** False: its box is full; the outcome says so, too. */
  readonly hasRoom: Promise<boolean>;
  readonly outcome: Promise<RecordingOutcome>;
}

export interface CallRecordingsParts {
  readonly sound: RecordedSoundParts;
  readonly storage: Pick<
    Storage,
    | 'saveCallRecording'
    | 'countMessages'
    | 'listCallRecordings'
    | 'deleteCallRecording'
    | 'listAccounts'
    | 'usage'
  >;
  readonly disk: { readonly isLow: boolean };
  readonly failed: (error: unknown, what: string) => void;
}

/** What a voicemail box may hold, and the account altogether. */
export interface RecordingLimits {
  readonly messages: number;
  readonly bytes: number;
}

export class CallRecordings {
  readonly #parts: CallRecordingsParts;
  readonly #space: RecordingSpace;
  readonly #sound: RecordedSound;
  /** By id: being recorded or saved now. recover() leaves their files alone. */
  readonly #live = new Map<string, Promise<unknown>>();
  /** The box of each message that is being recorded: it counts before the database has it. */
  readonly #boxes = new Map<string, string>();
  #saved: (row: CallRecordingRow, facts: CallRecordingFacts) => Promise<void> | undefined = () => undefined;
  #retry: NodeJS.Timeout | null = null;

  constructor(parts: CallRecordingsParts) {
    this.#parts = parts;
    this.#space = new RecordingSpace(parts.storage, parts.disk);
    this.#sound = new RecordedSound(parts.sound);
  }

  /** Whether a recording may begin, by what is known at once; null: it may. */
  refusal(accountId: string, kind: CallRecordingRow['kind'], maxBytes: number): RecordingRefusal | null {
    return this.#space.refusal(accountId, kind, maxBytes);
  }

  /** Called for every recording once it is stored; again if that failed or the process died meanwhile. */
  onSaved(saved: (row: CallRecordingRow, facts: CallRecordingFacts) => Promise<void> | undefined): void {
    this.#saved = saved;
  }

  begin(facts: CallRecordingFacts, channels: 1 | 2, limits: RecordingLimits): CallRecording {
    const paths = this.#pathsOf(facts.call.accountId, facts.id);
    const note: RecordingNote = { ...facts, channels, maker: { host: hostname(), pid: process.pid } };
    const file = new CallRecordingFile(paths, channels, JSON.stringify(note));
    let soundMs = 0;
    let soundEndMs = 0;
    let lastedMs = 0;
    let over: (why: RecordingEnd) => void = () => undefined;
    const ended = new Promise<RecordingEnd>((resolve) => {
      over = resolve;
    });
    const isMessage = facts.kind === 'voicemail';
    const hasRoom = isMessage ? this.#hasRoom(facts, limits) : Promise.resolve(true);
    const outcome = hasRoom.then(async (isTaken) => {
      if (!isTaken) return 'full';
      await ended;
      if (file.lost > 0 && !file.error)
        this.#parts.failed(new Error(`${file.lost} seconds`), 'recording has gaps: disk too slow');
      if (isMessage ? soundMs < MIN_SOUND_MS : lastedMs === 0) return this.#discard(file);
      return this.#keep(file, facts, isMessage ? soundEndMs + TAIL_MS : lastedMs, channels);
    });
    this.#track(facts.id, outcome);
    return {
      id: facts.id,
      hasRoom,
      outcome,
      wrote: (audio, sound, soundEnd) => {
        soundMs = sound;
        soundEndMs = soundEnd;
        // What is recorded so far is kept; the rest would take the space that the database needs.
        if (this.#space.isLow) file.cutShort(new Error('Free space is below the reserve.'));
        else lastedMs += audio.length / 8 / channels;
        file.append(audio);
      },
      ended: (why) => over(why),
    };
  }

  /** Null if it is gone. Rejects with StorageError while its place does not answer. */
  open(row: CallRecordingRow): Promise<StoredSound | null> {
    return this.#sound.open(row);
  }

  /**
   * The sound first: a deletion that was interrupted can be repeated, and leaves no audio behind. `by` is for the audit log; without
   * it the retention time is over. `left`: the sound is on another node, which removes it. Rejects with StorageError while its store
   * is away: then nothing is deleted.
   */
  async remove(
    { accountId, kind, id, place }: CallRecordingAddress & Pick<CallRecordingRow, 'place'>,
    by?: Actor,
  ): Promise<{ readonly left: boolean }> {
    const soundAt = await this.#sound.remove({ accountId, id, place });
    await this.#parts.storage.deleteCallRecording({
      accountId,
      kind,
      id,
      ...(by ? { by } : {}),
      ...(soundAt === null ? {} : { soundAt }),
    });
    return { left: soundAt !== null };
  }

  /** Removes sound of this node whose rows were deleted at another. */
  async removeLeft(): Promise<void> {
    await this.#sound.removeLeft();
  }

  async settled(): Promise<void> {
    if (this.#retry) clearTimeout(this.#retry);
    while (this.#live.size > 0) await Promise.allSettled(this.#live.values());
  }

  /** Finishes what an earlier process or an outage of the database left unfinished. What fails is logged and tried again later. */
  async recover(): Promise<void> {
    const later = (error: unknown): void => this.#postpone(error, 'recording not recovered; retrying');
    const root = this.#parts.sound.folder;
    const accounts = await unlessAbsent(readdir(root, { withFileTypes: true }), []).catch(later);
    for (const { name: account } of accounts?.filter((entry) => entry.isDirectory()) ?? [])
      for (const name of (await readdir(join(root, account)).catch(later)) ?? []) {
        const id = name.slice(0, -'.json'.length);
        if (!name.endsWith('.json') || this.#live.has(id)) continue;
        const finishing = this.#finish(join(root, account, name));
        this.#track(id, finishing);
        const failure = await finishing.catch((error: unknown) => error);
        if (failure) later(failure);
        // The database or the store is away: the others would only wait for it, too.
        if (failure instanceof StorageError) return;
      }
  }

  /** Deletes what is older than the retention time of its account, in batches. */
  async forgetOld(nowMs: number): Promise<void> {
    for (const { id: accountId, settings } of await this.#parts.storage.listAccounts()) {
      const { keep_voicemails_days: voicemails = 0, keep_recordings_days: recordings = 0 } = settings;
      await this.#forget({ accountId, kind: 'voicemail' }, voicemails, nowMs);
      await this.#forget({ accountId, kind: 'call' }, recordings, nowMs);
    }
  }

  async #forget(
    of: Pick<CallRecordingRow, 'accountId' | 'kind'>,
    days: number,
    nowMs: number,
  ): Promise<void> {
    if (days === 0) return;
    const toMs = nowMs - days * 86_400_000;
    for (;;) {
      const rows = await this.#parts.storage.listCallRecordings({ ...of, toMs, limit: BATCH });
      let failures = 0;
      for (const row of rows)
        await this.remove(row).catch((error: unknown) => {
          // One file that cannot be removed does not keep the others, nor those of other accounts.
          if (failures++ === 0) this.#parts.failed(error, 'expired recording not removed; retrying later');
        });
      if (rows.length < BATCH || failures > 0) return;
    }
  }

  async #hasRoom(
    { id, call: { accountId }, box }: CallRecordingFacts,
    { messages: maxMessages, bytes: maxBytes }: RecordingLimits,
  ): Promise<boolean> {
    const name = `${accountId} ${box}`;
    const begun = [...this.#boxes.values()].filter((other) => other === name).length;
    this.#boxes.set(id, name);
    if (this.#space.isLow) return false;
    const counting = this.#space
      .refusalNow(accountId, 'voicemail', maxBytes)
      .then((refusal) =>
        refusal === null
          ? this.#parts.storage.countMessages({ accountId, box: box ?? '', upTo: maxMessages })
          : maxMessages,
      );
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<number>((resolve) => {
      late = setTimeout(resolve, ROOM_MS, 0);
    });
    // Without the database the message is accepted, and waits on disk.
    const stored = await Promise.race([counting.catch(() => 0), tooLate]);
    clearTimeout(late);
    return stored + begun < maxMessages;
  }

  async #discard(file: CallRecordingFile): Promise<RecordingOutcome> {
    await file
      .discard()
      .catch((error: unknown) => this.#parts.failed(error, 'empty voicemail file not removed'));
    return 'empty';
  }

  async #keep(
    file: CallRecordingFile,
    facts: CallRecordingFacts,
    audioMs: number,
    channels: number,
  ): Promise<RecordingOutcome> {
    let bytes: number;
    try {
      bytes = await file.finish(audioMs);
      if (file.error) this.#parts.failed(file.error, 'recording cut short: disk failed');
    } catch (error) {
      // Audio that has reached the disk is completed later: an error of the disk is no reason to delete it.
      if (!file.isEmpty) this.#postpone(error, 'recording not completed; retrying');
      else {
        this.#parts.failed(error, 'recording not written');
        await file.discard().catch(() => undefined);
      }
      return 'failed';
    }
    const storing = this.#store(facts, bytes, channels).then(
      (): RecordingOutcome => 'saved',
      (error: unknown): RecordingOutcome => {
        this.#postpone(error, 'recording not stored; retrying');
        return 'kept';
      },
    );
    // A call does not wait for a store that is far away: what is on disk is safe.
    if (!this.#sound.isMoved) return storing;
    this.#track(facts.id, storing);
    return 'kept';
  }

  async #store(facts: CallRecordingFacts, bytes: number, channels: number): Promise<void> {
    const { id, kind, call, box, eid, startedAtMs } = facts;
    const row: CallRecordingRow = {
      accountId: call.accountId,
      id,
      kind,
      callId: call.id,
      box,
      eid,
      caller: call.caller,
      callerName: call.callerName,
      dialled: call.dialled,
      startedAtMs,
      durationMs: Math.round((bytes - HEADER_BYTES) / 8 / channels),
      bytes,
      heardAtMs: null,
      place: this.#sound.place,
    };
    await this.#sound.put(row);
    await this.#parts.storage.saveCallRecording(row);
    this.#space.added(row.accountId, kind, bytes);
    await this.#saved(row, facts);
    // Before the note: a process that is killed in between leaves nothing that only a node knows of.
    await this.#sound.moved(row);
    await rm(this.#pathsOf(call.accountId, id).note, { force: true });
  }

  async #finish(note: string): Promise<void> {
    const text = await unlessAbsent(readFile(note, 'utf8'), null);
    if (text === null) return;
    const facts = readNote(text);
    if (!facts) return this.#dropNote(note);
    const paths = this.#pathsOf(facts.call.accountId, facts.id);
    if (await isBeingRecorded(facts, paths)) return;
    const bytes = await rescue(paths, facts.channels);
    if (bytes !== null && bytes > HEADER_BYTES) await this.#store(facts, bytes, facts.channels);
    else await Promise.all([rm(paths.whole, { force: true }), rm(note, { force: true })]);
  }

  /** The note is synced before the first audio is written: one that is cut off has none. Should there be some, it stays. */
  async #dropNote(note: string): Promise<void> {
    const base = note.slice(0, -'.json'.length);
    if ((await isThere(`${base}.part`)) || (await isThere(`${base}.wav`)))
      this.#parts.failed(
        new Error(`${note} is damaged.`),
        'recording not recovered; its sound stays on disk',
      );
    else await rm(note, { force: true });
  }

  #postpone(error: unknown, what: string): void {
    this.#parts.failed(error, what);
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      void this.recover();
    }, RETRY_MS);
    this.#retry.unref();
  }

  #track(id: string, work: Promise<unknown>): void {
    this.#live.set(id, work);
    const done = (): void => {
      // Storing goes on after the call has its outcome.
      if (this.#live.get(id) !== work) return;
      this.#live.delete(id);
      this.#boxes.delete(id);
    };
    work.then(done, done);
  }

  #pathsOf(accountId: string, id: string): RecordingPaths {
    return recordingPaths(this.#parts.sound.folder, accountId, id);
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await unlessAbsent(access(file), 'absent')) !== 'absent';
}

/** Null if the note is cut off. */
function readNote(text: string): RecordingNote | null {
  try {
    return JSON.parse(text) as RecordingNote;
  } catch {
    return null;
  }
}

/** Whether another process that shares the folder still records: a second node, or the one that this one replaces. */
async function isBeingRecorded({ maker }: RecordingNote, paths: RecordingPaths): Promise<boolean> {
  if (!maker) return false;
  const isHere = maker.host === hostname();
  // Our own pid: an earlier process had the same one, as in a container.
  if (isHere && (maker.pid === process.pid || !isRunning(maker.pid))) return false;
  return Date.now() - (await lastTouchedMs(paths)) < ABANDONED_MS;
}
