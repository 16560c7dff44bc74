// PORT to persistence. Handlers and calls see this file alone; main.ts chooses who stands behind it.
// Records go in and out as JSON text with their ids, versions and keys: what the text means is the domain's business.
import type { Settings, Token } from '../domain/account.ts';
import type { CallIndex } from '../domain/call-index.ts';
import type {
  ClaimedJob,
  JobCounts,
  JobResult,
  JobState,
  Lane,
  OutboxJob,
  StoredJob,
} from '../domain/outbox-job.ts';
import type { RecordKind } from '../domain/record.ts';
import type { MessageChange, NewMessage, Receipt, SmsMessage, SmsState } from '../domain/sms-message.ts';
import type { Ref } from '../flow/node.ts';

export interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly json: string;
}

export interface RecordAddress {
  readonly accountId: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** A value that no two records of the kind may share within an account, such as an agent's intercom number. */
export interface UniqueKey {
  readonly name: string;
  readonly value: string;
}

/** Remembers the answer to a request in the same transaction as what the request did. */
export interface IdempotencyClaim {
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly answer: string;
}

/** Who changes something, by which request: with it the change leaves an entry in the audit, in the same transaction. */
export interface Actor {
  /** The token's id, or what else acts, such as the command line. */
  readonly id: string;
  readonly name: string;
  readonly requestId: string;
  readonly atMs: number;
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
  /** A kind of record, or `settings`, `token`, `session`, `link`, `call`, `sms`, `voicemail_message`, `call_recording`. */
  readonly kind: string;
  readonly recordId: string;
  /** The version that came of it; null: it has none. */
  readonly version: number | null;
}

export interface NewAuditEntry {
  readonly accountId: string;
  readonly action: string;
  readonly kind: string;
  readonly recordId: string;
  readonly by: Actor;
}

/** Something that may be asked for twice, and is done once. */
export interface Claimed {
  readonly accountId: string;
  readonly atMs: number;
  readonly idempotency?: IdempotencyClaim;
}

export interface NewRecord extends RecordAddress, Claimed, ByActor {
  readonly json: string;
  readonly keys?: readonly UniqueKey[];
}

export type CreateResult =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'key_taken'; readonly key: UniqueKey }
  /** The same key was claimed before: with which body, and what was answered. */
  | { readonly outcome: 'claimed_before'; readonly bodyHash: string; readonly answer: string };

export interface RecordUpdate extends RecordAddress, ByActor {
  readonly atMs: number;
  readonly json: string;
  /** All unique keys that the record has from now on. */
  readonly keys?: readonly UniqueKey[];
  readonly expectedVersion?: number;
}

export type UpdateResult =
  | { readonly outcome: 'updated'; readonly version: number }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'version_changed'; readonly version: number }
  | { readonly outcome: 'key_taken'; readonly key: UniqueKey };

export interface RecordDeletion extends RecordAddress, ByActor {
  readonly expectedVersion?: number;
}

export type DeleteResult =
  | { readonly outcome: 'deleted' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'version_changed'; readonly version: number };

export interface Page {
  readonly accountId: string;
  readonly kind: RecordKind;
  /** Rows after this id, in the order of ids. */
  readonly afterId: string;
  readonly limit: number;
}

export interface RecordStamp {
  readonly kind: RecordKind;
  readonly id: string;
  readonly version: number;
}

export interface Referrer {
  readonly kind: RecordKind;
  readonly id: string;
  readonly json: string;
}

export interface StoredAccount {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly settings: Partial<Settings>;
}

/** An account with its first token and, at the first start, what it begins with. */
export interface NewAccount {
  readonly account: StoredAccount;
  readonly token: Token;
  readonly records?: readonly NewRecord[];
}

/** A browser that is signed in. */
export interface NewSession {
  readonly session: Token;
  /** The link that is used up by it. */
  readonly linkId?: string;
  /** Sessions, of whichever account, that it takes the place of. */
  readonly endIds?: readonly string[];
  /** Sessions an account may have; the oldest make room. */
  readonly most: number;
}

/** A call that is over. The columns are what lists show and filter by; `json` is the whole of it, with its trail. */
export interface CallRow extends CallSummary {
  readonly json: string;
  /** Given by whoever has the trail at hand; without it the JSON is read again. Never read back. */
  readonly index?: CallIndex;
}

export interface CallSummary {
  readonly accountId: string;
  readonly id: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly direction: 'inbound' | 'internal' | 'outbound';
  readonly caller: string | null;
  readonly dialled: string;
  /** Where the call came in: what the dialled number leads to. */
  readonly entry: Ref;
  readonly endCode: string;
  /** ITU-T Q.850. */
  readonly cause: number;
  /** The eid of the agent who answered. */
  readonly answeredBy: string | null;
  readonly ringMs: number;
  readonly talkMs: number;
}

/** A call as it is stored: with what was found in its trail. Both are null for calls of before these were kept. */
export interface FoundCall extends CallSummary {
  readonly outcome: string | null;
  readonly callerName: string | null;
}

export interface CallSearch {
  readonly accountId: string;
  /** What the call must have, as domain/past-call.ts writes it; the rarest first, since the search goes through its calls. */
  readonly words: readonly string[];
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly minMs?: number;
  readonly maxMs?: number;
  /** Part of the caller's number or name, or of what was dialled; in small letters. */
  readonly part?: string;
  readonly before?: CallPlace;
  readonly limit: number;
}

export interface CallsFound {
  readonly calls: readonly FoundCall[];
  /** Where to go on; null: there are no more. With fewer calls than the limit it means that a bite was looked through. */
  readonly rest: CallPlace | null;
}

/** Quarters of an hour since 1970: what statistics are counted in. */
export interface CountSpan {
  readonly accountId: string;
  readonly fromQuarter: number;
  /** Not included. */
  readonly toQuarter: number;
}

/** Kinds whose counts are kept by day too, so that all of a kind can be compared. */
export type ComparedKind = 'extension' | 'department' | 'ivr';

/** The sums of one measure by bucket. */
export interface CountSeries {
  readonly measure: string;
  readonly buckets: readonly number[];
  readonly values: readonly number[];
}

export interface CountOf {
  readonly subject: string;
  readonly measure: string;
  readonly value: number;
}

/** Calls that started before this one, or at the same moment with a smaller id. */
export interface CallPlace {
  readonly startedAtMs: number;
  readonly id: string;
}

export type QueueResult =
  | { readonly outcome: 'queued'; readonly refused: readonly string[] }
  | Extract<CreateResult, { outcome: 'claimed_before' }>;

export interface MessagePage {
  readonly accountId: string;
  /** Messages with smaller ids. */
  readonly before?: string;
  readonly limit: number;
  readonly state?: SmsState;
  readonly to?: string;
  readonly callId?: string;
  readonly fromMs?: number;
  readonly untilMs?: number;
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

/** A voicemail message or a recorded call. The sound is a file of its own. */
export interface CallRecordingRow {
  readonly accountId: string;
  readonly id: string;
  readonly kind: 'voicemail' | 'call';
  /** Our id of the call it was made in. */
  readonly callId: string;
  /** The voicemail box. */
  readonly box: string | null;
  /** The agent who was in the call. */
  readonly eid: string | null;
  readonly caller: string | null;
  readonly callerName: string;
  readonly dialled: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Of its file. */
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
  readonly caller?: string;
  readonly heard?: boolean;
  /** Begun at or after. */
  readonly fromMs?: number;
  /** Begun before. */
  readonly toMs?: number;
}

export interface CallRecordingPage extends CallRecordingFilter {
  readonly before?: CallPlace;
  readonly limit: number;
}

/**
 * What a cache depends on: the tokens and accounts of all; per account its directory, all its records together, and how
 * many calls its agents have answered.
 */
export type Topic = 'access' | `directory:${string}` | `records:${string}` | `answered:${string}`;

/**
 * Every promise of a write settles after the commit is synced to disk, and writes that arrive together share one commit.
 * Rejects with StorageError alone; an outcome that a caller may cause is a value.
 */
export interface Storage {
  createRecord(input: NewRecord): Promise<CreateResult>;
  updateRecord(input: RecordUpdate): Promise<UpdateResult>;
  deleteRecord(input: RecordDeletion): Promise<DeleteResult>;
  getRecord(address: RecordAddress): Promise<StoredRow | null>;
  /** Those of the ids that there are, in no order. */
  getRecords(input: { accountId: string; kind: RecordKind; ids: readonly string[] }): Promise<StoredRow[]>;
  listRecords(page: Page): Promise<StoredRow[]>;
  /** Which records an account has, and at which versions: what a cache compares itself with. */
  listStamps(input: { accountId: string; kinds: readonly RecordKind[] }): Promise<RecordStamp[]>;
  /** Former versions and the present one, newest first. */
  listVersions(page: RecordAddress & { beforeVersion: number; limit: number }): Promise<StoredRow[]>;
  getVersion(input: RecordAddress & { version: number }): Promise<StoredRow | null>;
  /** Records whose text holds this reference, at most `limit`; a scan of the account, so for rare questions only. */
  findReferrers(input: { accountId: string; reference: string; limit: number }): Promise<Referrer[]>;
  /** The next number of a series, never given before and not among the keys of that name. */
  takeNumber(input: { accountId: string; kind: RecordKind; name: string; from: number }): Promise<number>;

  /**
   * Calls that are over, of any accounts, and with them the counts of answered calls: all of them or none. A call that is
   * stored already is left as it is and counts once, so a batch whose outcome is unknown may be sent again. `jobs` go into
   * the outbox with them, but for those that it has no room for.
   */
  saveCalls(input: { calls: readonly CallRow[]; jobs?: readonly OutboxJob[] }): Promise<void>;
  getCall(input: { accountId: string; id: string }): Promise<(CallRow & FoundCall) | null>;
  /** By eid; agents who never answered are not in it. */
  answeredCounts(accountId: string): Promise<Map<string, number>>;

  /** Which sounds the recordings of an account point to, by their present and former versions: their hashes. */
  recordedSounds(accountId: string): Promise<string[]>;

  /** A capture that is stored already is left as it is, so one whose outcome is unknown may be sent again. */
  saveCallRecording(row: CallRecordingRow): Promise<void>;
  getCallRecording(input: CallRecordingAddress): Promise<CallRecordingRow | null>;
  /** The messages of a voicemail box, counted no further than `upTo`. */
  countMessages(input: { accountId: string; box: string; upTo: number }): Promise<number>;
  /** Newest first. */
  listCallRecordings(page: CallRecordingPage): Promise<CallRecordingRow[]>;
  /** Heard at that time unless it was before; null: not heard yet. */
  markCallRecording(
    input: CallRecordingAddress & ByActor & { heardAtMs: number | null },
  ): Promise<{ found: boolean }>;
  deleteCallRecording(input: CallRecordingAddress & ByActor): Promise<{ found: boolean }>;

  /**
   * Those that an account's lane has no room for are refused, by id; it has room for MAX_WAITING_JOBS unless told otherwise.
   * A job that is stored already is left as it is. What was asked for first is stored first.
   */
  addJobs(input: { jobs: readonly OutboxJob[]; mostWaiting?: number }): Promise<{ refused: string[] }>;
  /**
   * Jobs that are due, for this worker alone until its lease ends. Of those with one order key only the oldest that is not
   * finished. Accounts and subjects that are busy get none.
   */
  claimJobs(input: {
    lane: Lane;
    worker: string;
    nowMs: number;
    leaseMs: number;
    limit: number;
    busyAccounts?: readonly string[];
    busySubjects?: readonly string[];
  }): Promise<ClaimedJob[]>;
  /** A result of a lease that is over counts for nothing. */
  settleJobs(input: { worker: string; nowMs: number; results: readonly JobResult[] }): Promise<void>;
  getJob(input: { accountId: string; id: string }): Promise<StoredJob | null>;
  /** Newest first. */
  listJobs(input: {
    accountId: string;
    lane: Lane;
    subject?: string;
    state?: JobState;
    before?: string;
    after?: string;
    limit: number;
  }): Promise<StoredJob[]>;
  /** One that is done or dead is tried again from the beginning, under the same id. */
  requeueJob(input: { accountId: string; id: string; nowMs: number }): Promise<{ requeued: boolean }>;
  countJobs(): Promise<JobCounts[]>;
  forgetJobs(input: {
    doneBeforeMs: number;
    deadBeforeMs: number;
    limit: number;
  }): Promise<{ forgotten: number }>;
  /** With their jobs, in one transaction. Those that the outbox has no room for are refused, by id. */
  queueMessages(
    input: { messages: readonly NewMessage[]; idempotency?: IdempotencyClaim } & ByActor,
  ): Promise<QueueResult>;
  changeMessages(input: { changes: readonly MessageChange[]; atMs: number }): Promise<void>;
  /** Those of parts that were never sent come back, by the gateway's ids. */
  takeReceipts(input: { receipts: readonly Receipt[]; atMs: number }): Promise<{ unknown: string[] }>;
  getMessage(input: { accountId: string; id: string }): Promise<SmsMessage | null>;
  /** Newest first; without the gateway's ids. */
  listMessages(page: MessagePage): Promise<SmsMessage[]>;
  forgetMessages(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;

  /** Newest first. Looks through some thousand calls at most, so that nobody waits long behind it. */
  findCalls(input: CallSearch): Promise<CallsFound>;
  /** The oldest ones before a moment, at most `limit`. What they counted for stays counted. */
  forgetCalls(input: { accountId: string; beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
  /** By measure, in buckets of so many quarters, moved by an offset in quarters. */
  sumCounts(
    input: CountSpan & { subject: string; bucketQuarters: number; offsetQuarters: number },
  ): Promise<CountSeries[]>;
  /** By subject and measure, for all subjects of a kind of reference. */
  compareCounts(input: CountSpan & { kind: ComparedKind }): Promise<CountOf[]>;

  /** Claims a key for something that leaves no record: a call that is begun. */
  claim(input: Claimed): Promise<CreateResult>;
  dropClaim(input: { accountId: string; route: string; key: string }): Promise<void>;

  /** For what is no record: a call that was hung up by request. */
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  listAudit(page: AuditPage): Promise<AuditEntry[]>;
  forgetAudit(input: { accountId: string; beforeMs: number; limit: number }): Promise<{ forgotten: number }>;

  /** All or nothing; nothing when the id is taken. */
  createAccount(input: NewAccount): Promise<{ created: boolean }>;
  listAccounts(): Promise<StoredAccount[]>;
  /** Settings that are not named keep their values. */
  changeSettings(input: { accountId: string; changes: Partial<Settings> } & ByActor): Promise<void>;
  createToken(input: { token: Token; replaceNamed?: boolean } & ByActor): Promise<void>;
  /** Not created: the link has been used, or has expired. */
  createSession(input: NewSession & ByActor): Promise<{ created: boolean }>;
  /** Sessions and links that have expired. */
  forgetSessions(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
  listTokens(): Promise<Token[]>;
  /** With the sessions that came of it. */
  revokeToken(input: { accountId: string; id: string } & ByActor): Promise<{ revoked: boolean }>;
  touchTokens(input: { ids: readonly string[]; atMs: number }): Promise<void>;

  findClaim(input: { accountId: string; route: string; key: string }): Promise<IdempotencyClaim | null>;
  forgetClaims(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;

  /** The revision of each topic, not older than the moment of asking. Cheap: questions asked together are one. */
  revisions(topics: readonly Topic[]): Promise<number[]>;
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
