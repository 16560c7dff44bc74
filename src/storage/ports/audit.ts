// Who changed what, and when. A change writes its entry in its own transaction.
import type { MemberChange } from '../../domain/record-difference.ts';

/** Who makes a change, by which request: the change then writes an audit entry. */
export interface Actor {
  /** The token's id, or the name of another actor, such as the command line. */
  readonly id: string;
  readonly name: string;
  readonly requestId: string;
  readonly atMs: number;
  /** The user who did it; absent: the account as a whole. */
  readonly userId?: string;
}

export interface ByActor {
  readonly by?: Actor;
}

export interface AuditEntry {
  readonly id: string;
  readonly atMs: number;
  readonly actorId: string;
  readonly actorName: string;
  readonly requestId: string;
  /** `create`, `update`, `delete`, or what was done to a call. */
  readonly action: string;
  /** A kind of record, or `settings`, `limits`, `configuration`, `token`, `session`, `link`, `call`, `sms`, `voicemail_message`, `call_recording`. */
  readonly kind: string;
  readonly recordId: string;
  /** What it was called then; null: it has no name, or the entry is from before names were kept. */
  readonly recordName: string | null;
  /** The record's version after the change; null: it has none. */
  readonly version: number | null;
  readonly userId: string | null;
  /** Null if not known, or if nothing is shown. */
  readonly changes: readonly MemberChange[] | null;
}

export interface NewAuditEntry {
  readonly accountId: string;
  readonly action: string;
  readonly kind: string;
  readonly recordId: string;
  readonly recordName?: string | null;
  /** What was there before and after: the entry has the difference. */
  readonly before?: object;
  readonly after?: object;
  readonly by: Actor;
}

export interface AuditPage {
  readonly accountId: string;
  readonly kind?: string;
  readonly recordId?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Entries before this id. */
  readonly beforeId?: string;
  readonly limit: number;
}

export interface AuditStorage {
  /** For an action that changes no record, such as hanging up a call by request. */
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  listAudit(page: AuditPage): Promise<AuditEntry[]>;
  forgetAudit(input: { accountId: string; beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
}
