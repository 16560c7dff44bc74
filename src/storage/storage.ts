// PORT to persistence, by area in ports/. service/ chooses the adapter; methods.ts has a table of what each method does.
import type { AccountStorage } from './ports/accounts.ts';
import type { AgentPresenceStorage } from './ports/agent-presence.ts';
import type { AuditStorage } from './ports/audit.ts';
import type { BindingStorage } from './ports/bindings.ts';
import type { CallRecordingStorage } from './ports/call-recordings.ts';
import type { CallbackStorage } from './ports/callbacks.ts';
import type { CallStorage } from './ports/calls.ts';
import type { ClaimStorage } from './ports/claims.ts';
import type { DeletedRecordStorage } from './ports/deleted-records.ts';
import type { DraftStorage } from './ports/drafts.ts';
import type { InstallationStorage } from './ports/installation.ts';
import type { LeaseStorage } from './ports/leases.ts';
import type { LiveCallStorage } from './ports/live-calls.ts';
import type { MessageStorage } from './ports/messages.ts';
import type { NodeStorage } from './ports/nodes.ts';
import type { NotificationStorage } from './ports/notifications.ts';
import type { OutboxStorage } from './ports/outbox.ts';
import type { PromptStorage } from './ports/prompts.ts';
import type { RecordStorage } from './ports/records.ts';
import type { RevisionStorage } from './ports/revisions.ts';
import type { ServiceVariableStorage } from './ports/service-variables.ts';
import type { StatisticsStorage } from './ports/statistics.ts';
import type { TrunkRegistrationStorage } from './ports/trunk-registrations.ts';
import type { UsageStorage } from './ports/usage.ts';
import type { UserStorage } from './ports/users.ts';

/**
 * Every promise of a write settles after the commit is synced to disk, and writes that arrive together share one commit.
 * Rejects with StorageError alone; an outcome that a caller may cause is a value.
 */
export interface Storage
  extends RecordStorage,
    DeletedRecordStorage,
    DraftStorage,
    ClaimStorage,
    AccountStorage,
    AuditStorage,
    AgentPresenceStorage,
    CallStorage,
    CallbackStorage,
    StatisticsStorage,
    CallRecordingStorage,
    PromptStorage,
    OutboxStorage,
    MessageStorage,
    BindingStorage,
    TrunkRegistrationStorage,
    InstallationStorage,
    ServiceVariableStorage,
    NodeStorage,
    NotificationStorage,
    LeaseStorage,
    LiveCallStorage,
    UsageStorage,
    UserStorage,
    RevisionStorage {
  /** Rejects while records cannot be read or, after a failed write, not yet be written again. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export class StorageError extends Error {
  /** `lost`: the database is not the one that was opened; nothing but the operator helps. */
  readonly reason: 'unavailable' | 'full' | 'overloaded' | 'lost';
  /** What clients are shown of it; the message is for the log. */
  readonly shown: string | undefined;

  constructor(
    reason: StorageError['reason'],
    message: string,
    options: ErrorOptions & { readonly shown?: string } = {},
  ) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
    this.shown = options.shown;
  }
}
