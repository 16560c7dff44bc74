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

export interface CallRecordingStorage {
  /** A row that is stored already stays unchanged, so one whose outcome is unknown may be sent again. */
  saveCallRecording(row: CallRecordingRow): Promise<void>;
  getCallRecording(input: CallRecordingAddress): Promise<CallRecordingRow | null>;
  /** The messages of a voicemail box, counted no further than `upTo`. */
  countMessages(input: { accountId: string; box: string; upTo: number }): Promise<number>;
  /** Newest first. */
  listCallRecordings(page: CallRecordingPage): Promise<CallRecordingRow[]>;
  /** Heard at that time unless it was heard before; null: not heard yet. */
  markCallRecording(
    input: CallRecordingAddress & ByActor & { heardAtMs: number | null },
  ): Promise<{ found: boolean }>;
  deleteCallRecording(input: CallRecordingAddress & ByActor): Promise<{ found: boolean }>;
}
