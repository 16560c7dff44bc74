// PORT to persistence, by area in ports/. service/ chooses the adapter; methods.ts has a table of what each method does.
import type { AccountStorage } from './ports/accounts.ts';
import type { AuditStorage } from './ports/audit.ts';
import type { BindingStorage } from './ports/bindings.ts';
import type { CallRecordingStorage } from './ports/call-recordings.ts';
import type { CallStorage } from './ports/calls.ts';
import type { ClaimStorage } from './ports/claims.ts';
import type { MessageStorage } from './ports/messages.ts';
import type { OutboxStorage } from './ports/outbox.ts';
import type { RecordStorage } from './ports/records.ts';
import type { RevisionStorage } from './ports/revisions.ts';
import type { StatisticsStorage } from './ports/statistics.ts';

/**
 * Every promise of a write settles after the commit is synced to disk, and writes that arrive together share one commit.
 * Rejects with StorageError alone; an outcome that a caller may cause is a value.
 */
export interface Storage
  extends RecordStorage,
    ClaimStorage,
    AccountStorage,
    AuditStorage,
    CallStorage,
    StatisticsStorage,
    CallRecordingStorage,
    OutboxStorage,
    MessageStorage,
    BindingStorage,
    RevisionStorage {
  /** Rejects while records cannot be read or, after a failed write, not yet be written again. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export class StorageError extends Error {
  readonly reason: 'unavailable' | 'full' | 'overloaded';

  constructor(reason: StorageError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}
