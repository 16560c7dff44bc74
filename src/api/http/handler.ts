// What a handler takes and returns: plain values, so that a handler knows nothing of sockets.

import type { IncomingHttpHeaders } from 'node:http';
import type { AccountSnapshots } from '../../accounts/account-snapshots.ts';
import type { CallControl } from '../../calls/control/call-control.ts';
import type { CallRecordings } from '../../calls/records/call-recordings.ts';
import type { Account, Token } from '../../domain/account.ts';
import type { AnsweredCounts, MenuNames } from '../../domain/agent-view.ts';
import type { Directory } from '../../domain/directory.ts';
import type { DraftChange } from '../../domain/drafted-flow.ts';
import type { OperationId } from '../../domain/roles.ts';
import type { Sealer } from '../../domain/sealer.ts';
import type { User } from '../../domain/user.ts';
import type { Capabilities, Flow } from '../../flow/flow.ts';
import type { FlowJobs } from '../../flow-jobs/flow-jobs.ts';
import type { Problem } from '../../kinds/problem.ts';
import type { Machines } from '../../nodes/machines.ts';
import type { Recordings, Upload } from '../../recordings/recordings.ts';
import type { SafeFetch } from '../../safe-fetch/safe-fetch.ts';
import type { Allowance } from '../../sharing/ports/allowance.ts';
import type { StoragePipeline } from '../../storage/pipeline.ts';
import type { Storage } from '../../storage/storage.ts';
import type { OidcProvider } from '../account/oidc-provider.ts';
import type { OperatorAccount, OwnNode, RunningConfiguration } from '../account/operator.ts';
import type { Passwords } from '../account/password.ts';
import type { SignIns } from '../account/sign-ins.ts';
import type { UsedChallenges } from '../account/used-challenges.ts';
import type { ButtonLimits } from '../calls/button-limits.ts';
import type { LiveWatches } from '../calls/live-watch.ts';
import type { PhoneSessions } from '../calls/phone-sessions.ts';
import type { IceServerSettings } from '../calls/turn-credentials.ts';
import type { ConsoleFiles } from '../pages/console-files.ts';
import type { AgentList, AgentLists } from '../records/agent-list.ts';
import type { Quotas } from '../records/quotas.ts';
import type { Access } from './auth.ts';
import type { Metrics } from './metrics.ts';
import type { Turns } from './turns.ts';

export type Headers = Readonly<Record<string, string>>;

/** The body is a value to be written as JSON, bytes that are ready, or a stream of them. */
export interface ApiResponse {
  readonly status: number;
  readonly headers?: Headers;
  readonly json?: unknown;
  readonly bytes?: Buffer | string;
  readonly stream?: StreamedBody;
}

export interface StreamedBody {
  readonly length?: number;
  /** It ends with the service, which does not wait for it: events, not files. */
  readonly endless?: true;
  /** Read as fast as the client reads; the signal is aborted when the client is gone. */
  pieces(signal: AbortSignal): AsyncIterable<Buffer | string>;
  /** Called once at its end, also when no piece of it was read (HEAD). */
  readonly over?: () => void;
}

export interface Body {
  readonly value: { readonly [name: string]: unknown };
  readonly bytes: Buffer;
  /** The merge patch that `value` is the outcome of; absent where the whole record was sent. */
  readonly patch?: { readonly [name: string]: unknown };
  /** multipart/form-data or a sound file, not read yet; only on routes that take uploads. */
  readonly upload?: Upload;
}

export interface ApiRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  /** Nothing of the answer's body is sent. */
  readonly isHead: boolean;
  readonly requestId: string;
  readonly address: string;
  readonly nowMs: number;
  readonly account: Account;
  readonly token: Token;
  /** Who asks; null: a token of the account as a whole. */
  readonly user: User | null;
  /** For work that is long: the signal is aborted when the client closes the connection. */
  whileConnected<T>(work: (gone: AbortSignal) => Promise<T>): Promise<T>;
  /** The revision of the account's directory when the request arrived. */
  readonly directoryRevision: number;
  /** As it was when the request arrived, or newer. */
  directory(): Promise<Directory>;
  /** The directory as a flow; menus come in by flowAround(). */
  flow(): Promise<Flow>;
  answered(): Promise<AnsweredCounts>;
  menuNames(): Promise<MenuNames>;
  agentList(): Promise<AgentList>;
}

/** The free space on the data folder's disk. */
export interface FreeSpace {
  /** NaN: not known. */
  readonly freeBytes: number;
  readonly reserveBytes: number;
  /** Below the reserve nothing is recorded. */
  readonly isLow: boolean;
}

export interface ServiceCapabilities extends Capabilities {
  /** A program that speaks text is configured; whether it is installed shows when it runs. */
  readonly speech: boolean;
}

export interface ApiContext {
  /** Makes the storage of a request. */
  readonly pipeline: StoragePipeline;
  readonly storage: Storage;
  /** What `storage` asks before it writes. Only a request that may write has it. */
  readonly testGate?: { check(changes: readonly DraftChange[]): Promise<void> };
  readonly snapshots: AccountSnapshots;
  readonly flowJobs: Pick<FlowJobs, 'run'>;
  readonly turns: Turns;
  readonly agentLists: AgentLists;
  readonly sealer: Sealer;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly recordings: Recordings;

  readonly callRecordings: CallRecordings;
  readonly disk: FreeSpace;
  readonly quotas: Quotas;

  readonly allowance: Allowance;
  /** Whether the account may send one more e-mail now (threat T48). */
  mayMail(accountId: string): Promise<boolean>;
  readonly capabilities: ServiceCapabilities;
  /** For the operator. */
  readonly configuration: RunningConfiguration;

  readonly safeFetch: SafeFetch;
  /** The sender has checked references among all that it sends, as an import has: strict accounts refuse none of them. */
  readonly checkedReferences?: true;
  /** Whether the operator allows SIP addresses at this host. */
  maySipHost(host: string): boolean;

  readonly access: Access;
  readonly signIns: SignIns;
  readonly phoneSessions: PhoneSessions;
  readonly buttonLimits: ButtonLimits;
  readonly passwords: Passwords;
  readonly usedChallenges: UsedChallenges;
  /** Null if there is none. */
  readonly oidc: OidcProvider | null;
  /** Whose tokens may do what concerns the whole service. */
  readonly operator: OperatorAccount;
  readonly node: OwnNode;
  readonly console: ConsoleFiles;

  /** Where browsers find the console; null: not configured. */
  readonly publicUrl: string | null;

  /** The public SIP address; null: not configured. */
  readonly advertisedAddress: string | null;

  /** What GET /metrics asks for; null: nothing. */
  readonly metricsToken: string | null;

  /** STUN and TURN, for browser phones. */
  readonly iceServers: IceServerSettings;

  readonly liveWatches: LiveWatches;

  /** What the machines of all nodes say of themselves. */
  machines(): Promise<Machines>;

  /** Null if SIP is off. */
  callControl(): CallControl | null;

  /** Rejects when the thread of the telephone side does not answer. */
  pingTelephones(): Promise<void>;

  /** The server's: absent before it is made. */
  readonly carryOut?: CarryOut;
}

/** What an operation is asked within another one. */
export interface InnerRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Headers;
}

/** Carries out another operation for the sender of a request, who must be allowed to do it. */
export type CarryOut = (
  request: ApiRequest,
  operation: OperationId,
  inner: InnerRequest,
) => Promise<ApiResponse | Problem>;

export interface Lifecycle {
  state: 'starting' | 'running' | 'draining';
  /** Each ends one response that has no end of its own. */
  readonly endless: Set<() => void>;
}

export type Handler = (
  request: ApiRequest,
  context: ApiContext,
) => Promise<ApiResponse | Problem> | ApiResponse | Problem;

export function header(request: Pick<ApiRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The response to every write. */
export function done(
  status: 200 | 201,
  message: string,
  more: { headers?: Headers; members?: object } = {},
): ApiResponse {
  return {
    status,
    json: { Success: true, Message: message, ...more.members },
    ...(more.headers ? { headers: more.headers } : {}),
  };
}
