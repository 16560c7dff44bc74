// THE TABLE of what each method of the port does, and what is done around it. pipeline.ts and sql/operations.ts derive from it; a
// method without a row, or whose row leaves out what its input asks for, does not compile.
import type { Lane } from '../domain/outbox-job.ts';
import type { RecordKind } from '../kinds/lists.ts';
import type { Actor } from './ports/audit.ts';
import type { Storage } from './storage.ts';

export type Method = keyof Storage;
type InputMap = { [M in Method]: Parameters<Storage[M]> extends [infer Input] ? Input : undefined };
type OutputMap = { [M in Method]: Awaited<ReturnType<Storage[M]>> };
// Interfaces, which TypeScript does not expand: so a type parameter can index them.
export interface Inputs extends InputMap {}
export interface Outputs extends OutputMap {}
export type Methods = { [M in Method]: (input: Inputs[M]) => Promise<Outputs[M]> };

type TakesActor<M extends Method> = Inputs[M] extends { by: Actor }
  ? false
  : 'by' extends keyof Inputs[M]
    ? true
    : false;

/** The lanes of the outbox that the write has added jobs to. */
export type Lanes<M extends Method> = (input: Inputs[M], output: Outputs[M]) => Iterable<Lane>;

/** Whether it works on the account's draft where a request does: drafting.ts has how. Asked of methods about one kind of record. */
type InDraft<M extends Method> = Inputs[M] extends { readonly kind: RecordKind }
  ? { readonly draft: boolean }
  : { readonly draft?: boolean };

/** Whether it changes what calls are routed by, and then, whether it may break stored tests of menus. */
type Routing = { readonly routing: true; readonly gate: boolean } | { readonly routing?: never };

type Write<M extends Method> = { readonly access: 'write' } & Routing &
  InDraft<M> &
  (TakesActor<M> extends true ? { readonly actor: true } : { readonly actor?: never }) &
  ('jobs' extends keyof Inputs[M] ? { readonly lanes: Lanes<M> } : { readonly lanes?: Lanes<M> });

/** `isWide`: it returns or looks through many rows. */
type Read<M extends Method> = { readonly access: 'read'; readonly isWide: boolean } & InDraft<M>;

type Row<M extends Method> =
  TakesActor<M> extends true ? Write<M> : Write<M> | Read<M> | { readonly access: 'adapter' };

const READ = { access: 'read', isWide: false } as const;
const WIDE = { access: 'read', isWide: true } as const;
const WRITE = { access: 'write' } as const;
const AUDITED = { access: 'write', actor: true } as const;
const ROUTED = { ...AUDITED, routing: true, gate: true } as const;
/** Each adapter has its own. */
const ADAPTER = { access: 'adapter' } as const;

export const METHODS = {
  createRecord: { ...ROUTED, draft: true },
  updateRecord: { ...ROUTED, draft: true },
  deleteRecord: { ...ROUTED, draft: true },
  restoreDeleted: ROUTED,
  listDeleted: WIDE,
  getDeleted: READ,
  dropDeleted: AUDITED,
  forgetDeleted: WRITE,
  getRecord: { ...READ, draft: true },
  findRecordId: { ...READ, draft: false },
  getRecords: { ...WIDE, draft: true },
  listRecords: { ...WIDE, draft: true },
  listStamps: WIDE,
  recordChanges: READ,
  listVersions: { ...WIDE, draft: false },
  getVersion: { ...READ, draft: false },
  findReferrers: { ...WIDE, draft: true },
  saveDraft: { ...AUDITED, draft: false },
  listDraft: WIDE,
  dropDraft: AUDITED,
  publish: ROUTED,
  listPublications: READ,
  publishedChanges: WIDE,
  takeNumber: { ...WRITE, draft: false },
  recordedSounds: WIDE,
  beginPrompt: WRITE,
  savePromptPiece: WRITE,
  finishPrompt: WRITE,
  readPrompt: READ,
  storedPrompts: READ,
  listPrompts: READ,
  markPrompts: WRITE,
  forgetPrompts: WRITE,

  claim: WRITE,
  dropClaim: WRITE,
  findClaim: READ,
  forgetClaims: WRITE,

  createAccount: { ...WRITE, routing: true, gate: false },
  listAccounts: READ,
  changeSettings: ROUTED,
  changeLimits: { ...AUDITED, routing: true, gate: false },
  createToken: AUDITED,
  createSession: AUDITED,
  forgetSessions: WRITE,
  listTokens: READ,
  revokeToken: AUDITED,
  touchTokens: WRITE,

  listUsers: READ,
  createUser: AUDITED,
  changeUser: AUDITED,
  deleteUser: AUDITED,
  changeCredentials: AUDITED,
  touchUser: WRITE,
  createUserLink: AUDITED,
  findUserLink: READ,
  spendUserLink: AUDITED,
  forgetUserLinks: WRITE,

  addAudit: WRITE,
  listAudit: WIDE,
  forgetAudit: WRITE,

  saveCalls: { ...WRITE, lanes: ({ jobs }) => lanesOf(jobs) },
  saveInterrupted: {
    ...WRITE,
    lanes: ({ calls }) => lanesOf(calls.flatMap(({ jobs }) => jobs)),
  },
  getCall: READ,
  answeredCounts: READ,
  findCalls: WIDE,
  forgetCalls: WRITE,
  sumCounts: WIDE,
  compareCounts: WIDE,
  addCounts: WRITE,

  saveCallRecording: WRITE,
  getCallRecording: READ,
  countMessages: READ,
  messageCounts: READ,
  listCallRecordings: WIDE,
  markCallRecording: AUDITED,
  deleteCallRecording: AUDITED,
  listSoundRemovals: READ,
  dropSoundRemovals: WRITE,

  addJobs: { ...WRITE, lanes: ({ jobs }) => lanesOf(jobs) },
  claimJobs: WRITE,
  settleJobs: WRITE,
  getJob: READ,
  listJobs: WIDE,
  requeueJob: { ...WRITE, lanes: (_, output) => (output.requeued ? [output.lane] : NONE) },
  countJobs: READ,
  forgetJobs: WRITE,

  openNotification: { ...WRITE, lanes: ({ jobs }) => lanesOf(jobs) },
  resendNotification: { ...WRITE, lanes: ({ jobs }) => lanesOf(jobs) },
  closeNotification: { ...WRITE, lanes: ({ jobs }) => lanesOf(jobs) },
  openNotifications: READ,
  lastNotification: READ,
  listNotifications: READ,
  forgetNotifications: WRITE,

  queueMessages: { ...AUDITED, lanes: () => SMS },
  changeMessages: WRITE,
  takeReceipts: WRITE,
  getMessage: READ,
  listMessages: WIDE,
  forgetMessages: WRITE,

  saveBindings: WRITE,
  listBindings: READ,
  changedBindings: READ,
  takeBindings: WRITE,
  forgetBindings: WRITE,
  changePresence: WRITE,
  listPresence: READ,
  addCallback: WRITE,
  claimCallbacks: WRITE,
  renewCallbacks: WRITE,
  releaseCallbacks: WRITE,
  beginCallback: WRITE,
  settleCallback: WRITE,
  cancelCallbacks: WRITE,
  getCallback: READ,
  listCallbacks: READ,
  forgetCallbacks: WRITE,
  holdTrunks: WRITE,
  releaseTrunks: WRITE,

  joinNode: WRITE,
  beatNode: WRITE,
  leaveNode: WRITE,
  listNodes: READ,
  deadNodes: WRITE,
  declareDead: WRITE,
  clearedNode: WRITE,
  setDrain: WRITE,
  forgetNodes: WRITE,
  takeLease: WRITE,
  renewLease: WRITE,
  releaseLease: WRITE,
  releaseLeases: WRITE,
  forgetLeases: WRITE,
  leaseOwner: READ,
  saveLiveCalls: WRITE,
  listLiveCalls: READ,
  leftLiveCalls: READ,
  claimLiveCalls: WRITE,
  countClaimable: READ,
  callsGoingOn: READ,
  dropLiveCalls: WRITE,

  getInstallation: READ,
  makeInstallation: WRITE,
  listVariables: READ,
  changeVariables: AUDITED,
  usage: READ,
  promptSounds: READ,
  configurationBytes: READ,

  revisions: READ,
  probe: ADAPTER,
  close: ADAPTER,
} as const satisfies { readonly [M in Method]: Row<M> };

const NONE: readonly Lane[] = [];
const SMS: readonly Lane[] = ['sms'];

function lanesOf(jobs: readonly { readonly lane: Lane }[] | undefined): Iterable<Lane> {
  return jobs ? new Set(jobs.map(({ lane }) => lane)) : NONE;
}

/** Methods whose row says so. */
export type MethodsWith<Key extends string> = {
  [M in Method]: (typeof METHODS)[M] extends { readonly [K in Key]: true } ? M : never;
}[Method];

/** Any row, with all columns that there are. */
interface Columns<M extends Method> {
  readonly access: 'read' | 'write' | 'adapter';
  readonly isWide?: boolean;
  readonly actor?: true;
  readonly draft?: boolean;
  readonly routing?: true;
  readonly gate?: boolean;
  readonly lanes?: Lanes<M>;
}

export const ROWS: { readonly [M in Method]: Columns<M> } = METHODS;

export const METHOD_NAMES = Object.keys(METHODS) as readonly Method[];
