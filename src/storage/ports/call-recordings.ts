// Voicemail messages and recorded calls. The audio is a file of its own; here is the row that describes it.
import type { ByActor } from './audit.ts';
import type { CallCursor } from './calls.ts';

export interface CallRecordingRow {
  readonly accountId: string;
  readonly id: string;
  readonly kind: 'voicemail' | 'call';
  /** Our id of the call it was made in. */
  readonly callId: string;
  readonly box: string | null;
  readonly eid: string | null;
  readonly caller: string | null;
  readonly callerName: string;
  readonly dialled: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly heardAtMs: number | null;
  /**
   * Where the sound is: null, in the data folder of the service's one process, or of a version that did not say; `node:<id>`, in that
   * of a node; otherwise the place of a store (sound-store/sound-store.ts).
   */
  readonly place: string | null;
}

/** The row is deleted; its sound has still to be removed by the node that has it. */
export interface SoundRemoval {
  /** `node:<id>`; empty: of an unknown node. */
  readonly place: string;
  readonly accountId: string;
  readonly id: string;
}

export type CallRecordingAddress = Pick<CallRecordingRow, 'accountId' | 'kind' | 'id'>;

export interface CallRecordingFilter {
  readonly accountId: string;
  readonly kind: CallRecordingRow['kind'];
  readonly box?: string;
  readonly eid?: string;
  readonly callId?: string;
  /** One of these. */
  readonly caller?: readonly string[];
  readonly heard?: boolean;
  /** Started at or after. */
  readonly fromMs?: number;
  /** Started before. */
  readonly toMs?: number;
}

export interface CallRecordingPage extends CallRecordingFilter {
  readonly before?: CallCursor;
  readonly limit: number;
}

export interface MessageCount {
  readonly box: string;
  readonly unheard: number;
  readonly heard: number;
}

export interface CallRecordingStorage {
  /** A row that is stored already stays unchanged, so one whose outcome is unknown may be sent again. */
  saveCallRecording(row: CallRecordingRow): Promise<void>;
  getCallRecording(input: CallRecordingAddress): Promise<CallRecordingRow | null>;
  /** The messages of a voicemail box, counted no further than `upTo`. */
  countMessages(input: { accountId: string; box: string; upTo: number }): Promise<number>;
  /** Counts the messages of each of these voicemail boxes that has any. */
  messageCounts(input: { accountId: string; boxes: readonly string[] }): Promise<MessageCount[]>;
  /** Newest first. */
  listCallRecordings(page: CallRecordingPage): Promise<CallRecordingRow[]>;
  /** Heard at that time unless it was heard before; null: not heard yet. */
  markCallRecording(
    input: CallRecordingAddress & ByActor & { heardAtMs: number | null },
  ): Promise<{ found: boolean }>;
  /** `soundAt`: the place of a SoundRemoval that is stored with the deletion. */
  deleteCallRecording(
    input: CallRecordingAddress & ByActor & { soundAt?: string },
  ): Promise<{ found: boolean }>;
  listSoundRemovals(input: { places: readonly string[]; limit: number }): Promise<SoundRemoval[]>;
  /** Also those of any place that are older than `keepMs`: their node never came back. */
  dropSoundRemovals(input: { removals: readonly SoundRemoval[]; keepMs: number }): Promise<void>;
}
