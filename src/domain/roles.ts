// THE TABLE of roles: which users may carry out which operation. The HTTP layer enforces it for API and console alike, the console
// hides what it refuses, docs/roles.md is made from it. An operation without a row does not compile (api/route.ts).
// Tokens that belong to no user act for the account as a whole: their scopes alone bound them (docs/tokens.md).

import {
  KINDS,
  type ListOperation,
  listOperation,
  type OperationOn,
  operationOn,
  RECORD_KINDS,
  type RecordKind,
  type VersionedKind,
  type VersionsOperation,
  versionsOperation,
} from '../kinds/lists.ts';

export const ROLES = ['owner', 'administrator', 'supervisor', 'editor', 'agent', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Groups of operations that the same roles may carry out. `own`: of agents, for the agent that the user is, and no other. */
export const RIGHTS = {
  open: { meaning: 'no sign-in needed', roles: ROLES },
  anyone: { meaning: 'every user, about the own account', roles: ROLES },
  directory: { meaning: 'see colleagues, teams, departments and contacts', roles: ROLES },
  own: {
    meaning: 'change the state of an agent, see its calls and messages, be its phone; agents their own alone',
    roles: ['owner', 'administrator', 'supervisor', 'agent'],
  },
  look: {
    meaning: 'see the configuration, calls and statistics',
    roles: ['owner', 'administrator', 'supervisor', 'editor', 'viewer'],
  },
  edit: { meaning: 'change the call flow', roles: ['owner', 'administrator', 'editor'] },
  block: {
    meaning: 'block callers and agents, open and close, keep contacts',
    roles: ['owner', 'administrator', 'supervisor', 'editor'],
  },
  supervise: {
    meaning: 'act on live calls, hear recorded calls and messages',
    roles: ['owner', 'administrator', 'supervisor'],
  },
  administer: { meaning: 'trunks, webhooks, settings, users, audit', roles: ['owner', 'administrator'] },
  // Links that reset the password of an owner go by the mail server that is set: an administrator could become one.
  operate: { meaning: 'set mail server, SMS gateway and public address of the service', roles: ['owner'] },
} as const satisfies Readonly<Record<string, { meaning: string; roles: readonly Role[] }>>;
export type Right = keyof typeof RIGHTS;

type RightsOfKinds = {
  readonly [K in RecordKind as OperationOn<'get', K> | ListOperation<K>]: (typeof KINDS)[K]['see'];
} & {
  readonly [K in RecordKind as OperationOn<
    'create' | 'put' | 'patch' | 'delete',
    K
  >]: (typeof KINDS)[K]['change'];
} & {
  readonly [K in VersionedKind as VersionsOperation<K>]: (typeof KINDS)[K]['see'];
} & {
  readonly [K in VersionedKind as OperationOn<'restore', K>]: (typeof KINDS)[K]['change'];
};

/** What can be done to records, by the rights that the module of each kind names. */
function rightsOfKinds(): RightsOfKinds {
  const rows = RECORD_KINDS.flatMap((kind) => {
    const { see, change, versioned } = KINDS[kind];
    const seeing = [
      operationOn('get', kind),
      listOperation(kind),
      ...(versioned ? [versionsOperation(kind)] : []),
    ];
    const verbs = ['create', 'put', 'patch', 'delete', ...(versioned ? (['restore'] as const) : [])] as const;
    return [...seeing.map((id) => [id, see]), ...verbs.map((verb) => [operationOn(verb, kind), change])];
  });
  // The cast holds: names and rights are those of the type, of each kind.
  return Object.fromEntries(rows) as RightsOfKinds;
}

/** By operation id. */
export const OPERATION_RIGHTS = {
  ...rightsOfKinds(),
  listAgents: 'directory',

  listReferences: 'look',
  // The handlers show, restore and erase only kinds that the role may change.
  listDeletedRecords: 'block',
  restoreDeletedRecord: 'block',
  eraseDeletedRecord: 'block',

  simulateIvr: 'look',
  simulateUnsaved: 'look',
  lintIvr: 'look',
  lint: 'look',
  testIvr: 'look',
  getDraft: 'look',
  checkDraft: 'look',
  simulateDraft: 'look',
  publishDraft: 'edit',
  discardDraft: 'edit',
  discardDrafted: 'edit',
  listPublications: 'look',
  rollBack: 'edit',
  getRecordingAudio: 'look',
  getRecordingWaveform: 'look',
  getTrunkState: 'look',
  listTrunkPresets: 'look',

  blockAgent: 'block',
  unblockAgent: 'block',
  renewSipPassword: 'edit',
  createProvisioning: 'edit',
  createPhonebook: 'edit',
  listPhones: 'directory',
  listAgentStates: 'directory',
  getAgentState: 'directory',
  pauseAgent: 'own',
  resumeAgent: 'own',
  endAgentWrapUp: 'own',
  signInAgent: 'own',
  signOutAgent: 'own',
  clickToCall: 'own',
  listAgentCalls: 'own',
  listEarlierCalls: 'own',
  listAgentVoicemails: 'own',
  getAgentVoicemailAudio: 'own',
  markAgentVoicemailHeard: 'own',
  getIceServers: 'own',
  createPhoneSession: 'own',
  listPhoneSessions: 'supervise',
  deletePhoneSession: 'supervise',
  createButtonSession: 'open',

  listLiveCalls: 'look',
  followCalls: 'look',
  getLiveState: 'look',
  followLiveState: 'look',
  getHealth: 'look',
  getPrompts: 'look',
  hangUpCall: 'supervise',
  transferCall: 'supervise',
  placeCall: 'supervise',
  completeTransfer: 'supervise',
  cancelTransfer: 'supervise',
  listenIn: 'supervise',
  addParty: 'supervise',
  getDepartmentQueue: 'look',
  listCallbacks: 'look',
  getCallback: 'look',
  cancelCallback: 'supervise',
  getRoomParticipants: 'look',
  lockRoom: 'supervise',
  unlockRoom: 'supervise',
  muteParticipant: 'supervise',
  unmuteParticipant: 'supervise',
  removeParticipant: 'supervise',

  listCallRecords: 'look',
  getCallRecord: 'look',
  exportCallRecords: 'look',
  exportCallWorkbook: 'look',
  getStatistics: 'look',
  exportStatistics: 'look',
  exportStatisticsWorkbook: 'look',
  getReport: 'look',
  sendReport: 'administer',
  sendTestMail: 'administer',
  getConfiguration: 'administer',
  patchConfiguration: 'operate',
  getIvrStatistics: 'look',
  listIvrStatistics: 'look',
  listCallRecordings: 'supervise',
  getCallRecording: 'supervise',
  getCallRecordingAudio: 'supervise',
  deleteCallRecording: 'administer',
  listVoicemails: 'supervise',
  getVoicemail: 'supervise',
  getVoicemailAudio: 'supervise',
  markVoicemailHeard: 'supervise',
  markVoicemailUnheard: 'supervise',
  deleteVoicemail: 'supervise',
  listSms: 'supervise',
  getSms: 'supervise',
  createSms: 'supervise',
  reportSms: 'administer',

  renewWebhookSecret: 'administer',
  testWebhook: 'administer',
  listDeliveries: 'administer',
  getDelivery: 'administer',
  replayWebhook: 'administer',

  listNotifications: 'look',
  getWallboard: 'look',
  putWallboard: 'supervise',
  getSettings: 'anyone',
  putSettings: 'administer',
  patchSettings: 'administer',
  getLimits: 'look',
  getTelephony: 'directory',
  listAudit: 'administer',
  listNodes: 'administer',
  drainNode: 'administer',
  resumeNode: 'administer',

  listUsers: 'administer',
  createUser: 'administer',
  patchUser: 'administer',
  deleteUser: 'administer',
  createUserLink: 'administer',
  endUserSessions: 'administer',
  resetSecondFactor: 'administer',

  getOwnUser: 'anyone',
  putOwnName: 'anyone',
  putOwnPassword: 'anyone',
  endOwnSession: 'anyone',
  beginTotp: 'anyone',
  confirmTotp: 'anyone',
  deleteTotp: 'anyone',
  beginPasskey: 'anyone',
  createPasskey: 'anyone',
  deletePasskey: 'anyone',
  // The handler shows and ends a user's own tokens alone, unless the user may administer.
  listTokens: 'anyone',
  createToken: 'anyone',
  revokeToken: 'anyone',

  // Each tool of it is an operation of this table.
  mcp: 'anyone',

  createSignInLink: 'anyone',
  deleteSessions: 'administer',
  putCurrentSession: 'anyone',
  deleteSession: 'anyone',

  getSession: 'open',
  createSession: 'open',
  createOwner: 'administer',
  readUserLink: 'open',
  acceptUserLink: 'open',
  requestReset: 'open',
  beginPasskeySignIn: 'open',
  signInByPasskey: 'open',
  beginOidc: 'open',
  finishOidc: 'open',
  createOidcSession: 'open',
  beginOidcByLink: 'open',
  phoneFile: 'open',
  phonebookFile: 'open',
  phonebookFileByPost: 'open',
  console: 'open',
  desk: 'open',
  consoleFile: 'open',
  consoleAsset: 'open',
  callButtonScript: 'open',
  healthz: 'open',
  readyz: 'open',
  metrics: 'open',
  openApi: 'open',
  docs: 'open',
  docsErrors: 'open',
  docsAsset: 'open',
} as const satisfies Readonly<Record<string, Right>>;

export type OperationId = keyof typeof OPERATION_RIGHTS;

const FORMER = /AtFormerPath$/;

/** Operations under a former path have the right of the present one. */
export function rightOf(operation: OperationId | `${OperationId}AtFormerPath`): Right {
  return OPERATION_RIGHTS[operation.replace(FORMER, '') as OperationId];
}

/** `role` null: a token of the account as a whole. */
export function mayDo(role: Role | null, operation: OperationId | `${OperationId}AtFormerPath`): boolean {
  if (role === null) return true;
  const { roles }: { readonly roles: readonly Role[] } = RIGHTS[rightOf(operation)];
  return roles.includes(role);
}

/** Whether the operation is bound to the agent that the user is. */
export function isOwnOnly(role: Role | null, operation: OperationId | `${OperationId}AtFormerPath`): boolean {
  return role === 'agent' && rightOf(operation) === 'own';
}

/** As mayDo(), of a user who is this agent (null: none), for what concerns that one (null: none in particular). */
export function mayDoFor(
  { role, agent }: { readonly role: Role; readonly agent: string | null },
  operation: OperationId,
  about: string | null,
): boolean {
  return mayDo(role, operation) && (!isOwnOnly(role, operation) || (agent !== null && agent === about));
}

/** Roles that a user of this role may give, and whose users it may change: an owner all, an administrator those below. */
export function manages(role: Role | null, other: Role): boolean {
  if (role === null || role === 'owner') return true;
  return role === 'administrator' && other !== 'owner' && other !== 'administrator';
}

/** PINs of conference rooms are for those who hand them out. */
export function seesPins(role: Role | null): boolean {
  return role === null || (role !== 'viewer' && role !== 'agent');
}
