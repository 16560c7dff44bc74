// What each method of the port does. decorators.ts and sql/operations.ts derive from this table; a method that is missing
// here, or that takes an actor or jobs and does not say so, does not compile.
import type { Lane } from '../domain/outbox-job.ts';
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

type Write<M extends Method> = {
  readonly access: 'write';
  /** It changes what calls are routed by. */
  readonly routing?: true;
} & (TakesActor<M> extends true ? { readonly actor: true } : { readonly actor?: never }) &
  ('jobs' extends keyof Inputs[M] ? { readonly lanes: Lanes<M> } : { readonly lanes?: Lanes<M> });

type Description<M extends Method> =
  TakesActor<M> extends true ? Write<M> : Write<M> | { readonly access: 'read' | 'adapter' };

const READ = { access: 'read' } as const;
const WRITE = { access: 'write' } as const;
const AUDITED = { access: 'write', actor: true } as const;
/** Each adapter has its own. */
const ADAPTER = { access: 'adapter' } as const;

export const METHODS = {
  createRecord: { access: 'write', actor: true, routing: true },
  updateRecord: { access: 'write', actor: true, routing: true },
  deleteRecord: { access: 'write', actor: true, routing: true },
  restoreDeleted: { access: 'write', actor: true, routing: true },
  listDeleted: READ,
  getDeleted: READ,
  dropDeleted: AUDITED,
  forgetDeleted: WRITE,
  getRecord: READ,
  findRecordId: READ,
  getRecords: READ,
  listRecords: READ,
  listStamps: READ,
  recordChanges: READ,
  listVersions: READ,
  getVersion: READ,
  findReferrers: READ,
  saveDraft: AUDITED,
  listDraft: READ,
  dropDraft: AUDITED,
  publish: { access: 'write', actor: true, routing: true },
  listPublications: READ,
  publishedChanges: READ,
  takeNumber: WRITE,
  recordedSounds: READ,
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

  createAccount: { access: 'write', routing: true },
  listAccounts: READ,
  changeSettings: { access: 'write', actor: true, routing: true },
  changeLimits: { access: 'write', actor: true, routing: true },
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
  listAudit: READ,
  forgetAudit: WRITE,

  saveCalls: { access: 'write', lanes: ({ jobs }) => lanesOf(jobs) },
  saveInterrupted: {
    access: 'write',
    lanes: ({ calls }) => lanesOf(calls.flatMap(({ jobs }) => jobs)),
  },
  getCall: READ,
  answeredCounts: READ,
  findCalls: READ,
  forgetCalls: WRITE,
  sumCounts: READ,
  compareCounts: READ,
  addCounts: WRITE,

  saveCallRecording: WRITE,
  getCallRecording: READ,
  countMessages: READ,
  messageCounts: READ,
  listCallRecordings: READ,
  markCallRecording: AUDITED,
  deleteCallRecording: AUDITED,
  listSoundRemovals: READ,
  dropSoundRemovals: WRITE,

  addJobs: { access: 'write', lanes: ({ jobs }) => lanesOf(jobs) },
  claimJobs: WRITE,
  settleJobs: WRITE,
  getJob: READ,
  listJobs: READ,
  requeueJob: { access: 'write', lanes: (_, output) => (output.requeued ? [output.lane] : NONE) },
  countJobs: READ,
  forgetJobs: WRITE,

  openNotification: { access: 'write', lanes: ({ jobs }) => lanesOf(jobs) },
  resendNotification: { access: 'write', lanes: ({ jobs }) => lanesOf(jobs) },
  closeNotification: { access: 'write', lanes: ({ jobs }) => lanesOf(jobs) },
  openNotifications: READ,
  lastNotification: READ,
  listNotifications: READ,
  forgetNotifications: WRITE,

  queueMessages: { access: 'write', actor: true, lanes: () => SMS },
  changeMessages: WRITE,
  takeReceipts: WRITE,
  getMessage: READ,
  listMessages: READ,
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
} as const satisfies { readonly [M in Method]: Description<M> };

const NONE: readonly Lane[] = [];
const SMS: readonly Lane[] = ['sms'];

function lanesOf(jobs: readonly { readonly lane: Lane }[] | undefined): Iterable<Lane> {
  return jobs ? new Set(jobs.map(({ lane }) => lane)) : NONE;
}

/** Methods whose row in the table has this property. */
export type MethodsWith<Key extends string> = {
  [M in Method]: Key extends keyof (typeof METHODS)[M] ? M : never;
}[Method];

export function methodsWith<Key extends string>(key: Key): MethodsWith<Key>[] {
  return METHOD_NAMES.filter((name): name is MethodsWith<Key> => key in METHODS[name]);
}

export const METHOD_NAMES = Object.keys(METHODS) as readonly Method[];
