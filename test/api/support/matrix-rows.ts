// One row per operation: how it is addressed, and what it means for another account's token.
import type { ProblemCode } from '../../../src/kinds/problem.ts';
import { menu } from '../../support/payload.ts';
import { recordingForm } from '../../support/recording-form.ts';
import { CALLBACK_OF_A, FLOW_LOGIC, NODE, type Seeded, TWIN_CALL_RECORDINGS } from './accounts.ts';

type Params = (seeded: Seeded) => Readonly<Record<string, string>>;

export interface Row {
  /**
   * record: addressed by an id. list: shows what is the account's own. own: makes or changes what is the account's own.
   * open: needs no token and shows no account. live: about calls of this moment, of which this service, without telephones, has
   * none; test/calls/live-calls.test.ts shows that another account's are unknown. signs in: open, and refuses whoever has no token.
   * operator: about the whole service, for its first account alone. by link: open, and does what its code or address allows. user:
   * about the user who asks, and the tokens here belong to none. unmade: addressed by an id of which these accounts have none; tests of
   * their own (deleted-records, drafts) show that another account's are unknown. stream: answers with events until it is left.
   */
  readonly means:
    | 'record'
    | 'list'
    | 'own'
    | 'open'
    | 'live'
    | 'signs in'
    | 'by link'
    | 'operator'
    | 'user'
    | 'unmade'
    | 'stream';
  /** What this service answers whoever asks: it has no mail server, and no draft. */
  readonly fails?: ProblemCode;
  /** A's record that B has no equal of. */
  readonly params?: Params;
  /** An id that both accounts have, each its own record. */
  readonly twin?: Params;
  readonly body?: object;
}

const ivr: Params = ({ onlyA }) => ({ id: onlyA.ivr, version: '1' });
const agent: Params = ({ onlyA }) => ({ eid: onlyA.agent });
const team: Params = ({ onlyA }) => ({ id: onlyA.team });
const department: Params = (seeded) => ({ id: seeded.department });
const number: Params = ({ onlyA }) => ({ id: onlyA.number });
const trunk: Params = ({ onlyA }) => ({ id: onlyA.trunk });
const timeGroup: Params = ({ onlyA }) => ({ id: onlyA.timeGroup });
const announcement: Params = ({ onlyA }) => ({ id: onlyA.announcement });
const voicemailBox: Params = ({ onlyA }) => ({ id: onlyA.voicemailBox });
const room: Params = ({ onlyA }) => ({ id: onlyA.room });
const collect: Params = ({ onlyA }) => ({ id: onlyA.collect, version: '1' });
const request: Params = ({ onlyA }) => ({ id: onlyA.request, version: '1' });
const stream: Params = ({ onlyA }) => ({ id: onlyA.stream, version: '1' });
const sipAddress: Params = ({ onlyA }) => ({ id: onlyA.sipAddress, version: '1' });
const aSwitch: Params = ({ onlyA }) => ({ id: onlyA.switch, version: '1' });
const message: Params = ({ onlyA }) => ({ id: onlyA.message, version: '1' });
const recording: Params = ({ onlyA }) => ({ id: onlyA.recording, version: '1' });
const voicemail: Params = ({ onlyA }) => ({ id: onlyA.voicemail });
const twinVoicemail: Params = () => ({ id: TWIN_CALL_RECORDINGS.voicemail });
const callRecording: Params = ({ onlyA }) => ({ id: onlyA.callRecording });
const twinCallRecording: Params = () => ({ id: TWIN_CALL_RECORDINGS.callRecording });
const blockedNumber: Params = ({ onlyA }) => ({ id: onlyA.blockedNumber });
const callerIdRule: Params = ({ onlyA }) => ({ id: onlyA.callerIdRule });
const contact: Params = ({ onlyA }) => ({ id: onlyA.contact });
const webhook: Params = ({ onlyA }) => ({ id: onlyA.webhook, delivery: onlyA.delivery });
const smsTemplate: Params = ({ onlyA }) => ({ id: onlyA.smsTemplate });
const sms: Params = ({ onlyA }) => ({ id: onlyA.sms });
const twinSms: Params = ({ twin }) => ({ id: twin.sms });
const callback: Params = () => ({ id: CALLBACK_OF_A });
const callRecord: Params = ({ onlyA }) => ({ id: onlyA.call });
const twinCall: Params = ({ twin }) => ({ id: twin.call });
const twinAgent: Params = ({ twin }) => ({ eid: twin.agent });
const twinTeam: Params = ({ twin }) => ({ id: twin.team });
const node: Params = () => ({ id: NODE });
const named = { name: 'Written by the matrix' };

// biome-ignore format: a table is read by its columns
const TABLE: Readonly<Record<string, Row>> = {
  listUsers: { means: 'own' },
  createOwner: { means: 'own', body: { name: 'Owner', email: 'owner@example.com', password: 'a long pass phrase' } },
  createUser: { means: 'own', body: { name: 'Matrix', email: 'matrix@example.com', role: 'viewer' } },
  patchUser: { means: 'user', params: () => ({ id: 'nothing' }), body: { name: 'Matrix' } },
  deleteUser: { means: 'user', params: () => ({ id: 'nothing' }) },
  createUserLink: { means: 'user', params: () => ({ id: 'nothing' }) },
  endUserSessions: { means: 'user', params: () => ({ id: 'nothing' }) },
  readUserLink: { means: 'by link', body: { code: 'nothing' } },
  acceptUserLink: { means: 'by link', body: { code: 'nothing', password: 'a long pass phrase' } },
  requestReset: { means: 'by link', body: { email: 'nobody@example.com' } },
  beginTotp: { means: 'user' },
  confirmTotp: { means: 'user', body: { code: '1' } },
  deleteTotp: { means: 'user', body: { code: '1' } },
  resetSecondFactor: { means: 'user', params: () => ({ id: 'nothing' }) },
  beginPasskey: { means: 'user', body: { current: 'a long pass phrase' } },
  createPasskey: { means: 'user', body: { name: 'x', state: 'x', response: '{}' } },
  deletePasskey: { means: 'user', params: () => ({ id: 'nothing' }) },
  beginPasskeySignIn: { means: 'by link' },
  signInByPasskey: { means: 'by link', body: { state: 'x', response: '{}' } },
  getOwnUser: { means: 'user' },
  putOwnName: { means: 'user', body: { name: 'Matrix' } },
  putOwnPassword: { means: 'user', body: { password: 'a long pass phrase' } },
  endOwnSession: { means: 'user', params: () => ({ id: 'others' }) },
  createIvr: { means: 'own', body: menu({ name: 'Written by the matrix' }) },
  listAgents: { means: 'list' },
  listIvrs: { means: 'list' },
  getIvr: { means: 'record', params: ivr },
  putIvr: { means: 'record', params: ivr, body: menu(named) },
  deleteIvr: { means: 'record', params: ivr },
  listIvrVersions: { means: 'record', params: ivr },
  restoreIvr: { means: 'record', params: ivr },
  simulateIvr: { means: 'record', params: ivr, body: { script: '1' } },
  simulateUnsaved: { means: 'own', body: { ivr: menu(), script: '1' } },
  lintIvr: { means: 'record', params: ivr },
  lint: { means: 'own' },
  testIvr: { means: 'record', params: ivr },
  listAgentsV2: { means: 'list' },
  createAgent: { means: 'own', body: named },
  getAgent: { means: 'record', params: agent, twin: twinAgent },
  putAgent: { means: 'record', params: agent, twin: twinAgent, body: named },
  deleteAgent: { means: 'record', params: agent, twin: twinAgent },
  blockAgent: { means: 'record', params: agent, twin: twinAgent },
  unblockAgent: { means: 'record', params: agent, twin: twinAgent },
  renewSipPassword: { means: 'record', params: agent, twin: twinAgent },
  createProvisioning: { means: 'record', params: agent, twin: twinAgent, body: {} },
  createPhonebook: { means: 'record', params: agent, twin: twinAgent },
  listTeams: { means: 'list' },
  createTeam: { means: 'own', body: named },
  getTeam: { means: 'record', params: team, twin: twinTeam },
  putTeam: { means: 'record', params: team, twin: twinTeam, body: named },
  deleteTeam: { means: 'record', params: team, twin: twinTeam },
  listDepartments: { means: 'list' },
  createDepartment: { means: 'own', body: named },
  getDepartment: { means: 'record', params: department },
  putDepartment: { means: 'record', params: department, body: named },
  deleteDepartment: { means: 'record', params: department },
  listNumbers: { means: 'list' },
  createNumber: { means: 'own', body: { number: '4711', destination: 'hangup||now' } },
  getNumber: { means: 'record', params: number },
  putNumber: { means: 'record', params: number, body: { number: '4712', destination: 'hangup||now' } },
  deleteNumber: { means: 'record', params: number },
  listTrunks: { means: 'list' },
  createTrunk: { means: 'own', body: { ...named, host: '192.0.2.1', addresses: [], password: 'x' } },
  getTrunk: { means: 'record', params: trunk },
  getTrunkState: { means: 'record', params: trunk },
  listTrunkPresets: { means: 'own' },
  putTrunk: { means: 'record', params: trunk, body: { name: 'Written again by the matrix', host: '192.0.2.1', addresses: [] } },
  deleteTrunk: { means: 'record', params: trunk },
  listRecordings: { means: 'list' },
  createRecording: { means: 'own', body: recordingForm(named) },
  getRecording: { means: 'record', params: recording },
  putRecording: { means: 'record', params: recording, body: recordingForm(named) },
  deleteRecording: { means: 'record', params: recording },
  getRecordingAudio: { means: 'record', params: recording },
  getRecordingWaveform: { means: 'record', params: recording },
  listRecordingVersions: { means: 'record', params: recording },
  restoreRecording: { means: 'record', params: recording },

  listTimeGroups: { means: 'list' },
  createTimeGroup: { means: 'own', body: { ...named, timezone: 'UTC' } },
  getTimeGroup: { means: 'record', params: timeGroup },
  putTimeGroup: { means: 'record', params: timeGroup, body: { ...named, timezone: 'UTC' } },
  deleteTimeGroup: { means: 'record', params: timeGroup },
  listAnnouncements: { means: 'list' },
  createAnnouncement: { means: 'own', body: { ...named, recording: 'welcome', destination: 'hangup||now' } },
  getAnnouncement: { means: 'record', params: announcement },
  putAnnouncement: { means: 'record', params: announcement, body: { ...named, recording: 'welcome', destination: 'hangup||now' } },
  deleteAnnouncement: { means: 'record', params: announcement },
  listVoicemailBoxes: { means: 'list' },
  createVoicemailBox: { means: 'own', body: named },
  getVoicemailBox: { means: 'record', params: voicemailBox },
  putVoicemailBox: { means: 'record', params: voicemailBox, body: named },
  deleteVoicemailBox: { means: 'record', params: voicemailBox },
  listRooms: { means: 'list' },
  createRoom: { means: 'own', body: named },
  getRoom: { means: 'record', params: room },
  putRoom: { means: 'record', params: room, body: named },
  deleteRoom: { means: 'record', params: room },
  getRoomParticipants: { means: 'record', params: room },
  lockRoom: { means: 'live', params: room },
  unlockRoom: { means: 'live', params: room },
  muteParticipant: { means: 'live', params: room, body: { call_id: 'x' } },
  unmuteParticipant: { means: 'live', params: room, body: { call_id: 'x' } },
  removeParticipant: { means: 'live', params: room, body: { call_id: 'x' } },
  listCollects: { means: 'list' },
  createCollect: { means: 'own', body: { ...named, ...FLOW_LOGIC.collect } },
  getCollect: { means: 'record', params: collect },
  putCollect: { means: 'record', params: collect, body: { ...named, ...FLOW_LOGIC.collect } },
  deleteCollect: { means: 'record', params: collect },
  listCollectVersions: { means: 'record', params: collect },
  restoreCollect: { means: 'record', params: collect },
  listRequests: { means: 'list' },
  createRequest: { means: 'own', body: { ...named, ...FLOW_LOGIC.request } },
  getRequest: { means: 'record', params: request },
  putRequest: { means: 'record', params: request, body: { ...named, ...FLOW_LOGIC.request } },
  deleteRequest: { means: 'record', params: request },
  listRequestVersions: { means: 'record', params: request },
  restoreRequest: { means: 'record', params: request },
  listStreams: { means: 'list' },
  createStream: { means: 'own', body: { ...named, ...FLOW_LOGIC.stream } },
  getStream: { means: 'record', params: stream },
  putStream: { means: 'record', params: stream, body: { ...named, ...FLOW_LOGIC.stream } },
  deleteStream: { means: 'record', params: stream },
  listStreamVersions: { means: 'record', params: stream },
  restoreStream: { means: 'record', params: stream },
  listSwitches: { means: 'list' },
  createSwitch: { means: 'own', body: { ...named, ...FLOW_LOGIC.switch } },
  getSwitch: { means: 'record', params: aSwitch },
  putSwitch: { means: 'record', params: aSwitch, body: { ...named, ...FLOW_LOGIC.switch } },
  deleteSwitch: { means: 'record', params: aSwitch },
  listSwitchVersions: { means: 'record', params: aSwitch },
  restoreSwitch: { means: 'record', params: aSwitch },
  listMessages: { means: 'list' },
  createMessage: { means: 'own', body: { ...named, ...FLOW_LOGIC.message } },
  getMessage: { means: 'record', params: message },
  putMessage: { means: 'record', params: message, body: { ...named, ...FLOW_LOGIC.message } },
  deleteMessage: { means: 'record', params: message },
  listMessageVersions: { means: 'record', params: message },
  restoreMessage: { means: 'record', params: message },
  listSipAddresses: { means: 'list' },
  createSipAddress: { means: 'own', body: { ...named, ...FLOW_LOGIC.sipAddress } },
  getSipAddress: { means: 'record', params: sipAddress },
  putSipAddress: { means: 'record', params: sipAddress, body: { ...named, ...FLOW_LOGIC.sipAddress } },
  deleteSipAddress: { means: 'record', params: sipAddress },
  listSipAddressVersions: { means: 'record', params: sipAddress },
  restoreSipAddress: { means: 'record', params: sipAddress },
  listBlockedNumbers: { means: 'list' },
  createBlockedNumber: { means: 'own', body: { number: '4713' } },
  getBlockedNumber: { means: 'record', params: blockedNumber },
  putBlockedNumber: { means: 'record', params: blockedNumber, body: { number: '4714' } },
  deleteBlockedNumber: { means: 'record', params: blockedNumber },
  listCallerIdRules: { means: 'list' },
  createCallerIdRule: { means: 'own', body: { ...named, show: '4713' } },
  getCallerIdRule: { means: 'record', params: callerIdRule },
  putCallerIdRule: { means: 'record', params: callerIdRule, body: { ...named, show: 'withhold' } },
  deleteCallerIdRule: { means: 'record', params: callerIdRule },
  listContacts: { means: 'list' },
  createContact: { means: 'own', body: { ...named, numbers: ['4713'] } },
  getContact: { means: 'record', params: contact },
  putContact: { means: 'record', params: contact, body: { ...named, numbers: ['4714'] } },
  deleteContact: { means: 'record', params: contact },

  listVoicemails: { means: 'list' },
  getVoicemail: { means: 'record', params: voicemail, twin: twinVoicemail },
  getVoicemailAudio: { means: 'record', params: voicemail, twin: twinVoicemail },
  markVoicemailHeard: { means: 'record', params: voicemail, twin: twinVoicemail },
  markVoicemailUnheard: { means: 'record', params: voicemail, twin: twinVoicemail },
  deleteVoicemail: { means: 'record', params: voicemail, twin: twinVoicemail },
  listCallRecordings: { means: 'list' },
  getCallRecording: { means: 'record', params: callRecording, twin: twinCallRecording },
  getCallRecordingAudio: { means: 'record', params: callRecording, twin: twinCallRecording },
  deleteCallRecording: { means: 'record', params: callRecording, twin: twinCallRecording },

  listSmsTemplates: { means: 'list' },
  createSmsTemplate: { means: 'own', body: { ...named, text: 'Hello' } },
  getSmsTemplate: { means: 'record', params: smsTemplate },
  putSmsTemplate: { means: 'record', params: smsTemplate, body: { ...named, text: 'Hello' } },
  deleteSmsTemplate: { means: 'record', params: smsTemplate },
  listSms: { means: 'list' },
  createSms: { means: 'own', body: { to: '+4915112345678', text: 'Hello' } },
  getSms: { means: 'record', params: sms, twin: twinSms },
  reportSms: { means: 'record', params: sms, twin: twinSms, body: { state: 'delivered' } },

  listWebhooks: { means: 'list' },
  createWebhook: { means: 'own', body: { ...named, url: 'https://hooks.example.com/' } },
  getWebhook: { means: 'record', params: webhook },
  putWebhook: { means: 'record', params: webhook, body: { ...named, url: 'https://hooks.example.com/' } },
  deleteWebhook: { means: 'record', params: webhook },
  renewWebhookSecret: { means: 'record', params: webhook },
  testWebhook: { means: 'record', params: webhook },
  listDeliveries: { means: 'record', params: webhook },
  getDelivery: { means: 'record', params: webhook },
  replayWebhook: { means: 'record', params: webhook, body: { from: '2026-01-01T00:00:00Z' } },

  exportCallRecords: { means: 'list' },
  exportCallWorkbook: { means: 'own' },
  exportStatistics: { means: 'own' },
  getReport: { means: 'own' },
  sendReport: { means: 'own', fails: 'mail_unavailable', body: { to: 'a@example.com' } },
  sendTestMail: { means: 'own', fails: 'mail_unavailable', body: { to: 'a@example.com' } },
  exportStatisticsWorkbook: { means: 'own' },
  getIvrStatistics: { means: 'record', params: ivr },
  getStatistics: { means: 'own' },
  listIvrStatistics: { means: 'own' },

  getDepartmentQueue: { means: 'record', params: department },
  listCallbacks: { means: 'list' },
  getCallback: { means: 'record', params: callback },
  cancelCallback: { means: 'record', params: callback },

  listLiveCalls: { means: 'own' },
  followCalls: { means: 'live' },
  hangUpCall: { means: 'live', body: { id: 'x' } },
  transferCall: { means: 'live', body: { id: 'x', destination: 'hangup||now' } },
  completeTransfer: { means: 'live', body: { call_id: 'x' } },
  cancelTransfer: { means: 'live', body: { call_id: 'x' } },
  listenIn: { means: 'live', body: { id: 'x', agent: '100001' } },
  addParty: { means: 'live', body: { call_id: 'x', number: '1002' } },
  placeCall: { means: 'live', body: { number: '+4930123', destination: 'hangup||now' } },
  clickToCall: { means: 'live', body: { agent: '100001', number: '1002' } },
  // test/calls/browser-phones.test.ts has the matrix of what is made with them, over the WebSocket.
  createPhoneSession: { means: 'live', body: { agent: '100001' } },
  listPhoneSessions: { means: 'live' },
  deletePhoneSession: { means: 'live', params: () => ({ id: 'nothing' }) },
  createButtonSession: { means: 'by link', params: () => ({ key: 'nobody.nothing' }), body: {} },

  listNodes: { means: 'operator' },
  getConfiguration: { means: 'operator' },
  patchConfiguration: { means: 'operator', body: { mail_from: 'phones@example.com' } },
  drainNode: { means: 'operator', params: node },
  resumeNode: { means: 'operator', params: node },

  listAudit: { means: 'list' },

  listCallRecords: { means: 'list' },
  getCallRecord: { means: 'record', params: callRecord, twin: twinCall },
  getCallRecordAtFormerPath: { means: 'record', params: callRecord, twin: twinCall },
  listTokens: { means: 'list' },
  createToken: { means: 'own', body: named },
  revokeToken: { means: 'record', params: ({ tokenId }) => ({ id: tokenId }) },
  getSession: { means: 'open' },
  createSession: { means: 'signs in', body: { token: 'dialtree_nobody-has-this-one' } },
  createSignInLink: { means: 'own' },
  deleteSessions: { means: 'own' },
  putCurrentSession: { means: 'record', body: { account: 'default' } },
  deleteSession: { means: 'own' },
  getTelephony: { means: 'own' },
  getIceServers: { means: 'own' },
  listPhones: { means: 'record', params: agent },
  listAgentStates: { means: 'own' },
  getAgentState: { means: 'live', params: agent },
  pauseAgent: { means: 'live', params: agent, body: { reason: 'lunch' } },
  resumeAgent: { means: 'live', params: agent },
  endAgentWrapUp: { means: 'live', params: agent },
  signInAgent: { means: 'live', params: agent, body: {} },
  signOutAgent: { means: 'live', params: agent, body: {} },
  listAgentCalls: { means: 'record', params: agent, twin: twinAgent },
  listEarlierCalls: { means: 'record', params: agent, twin: twinAgent },
  listAgentVoicemails: { means: 'record', params: agent, twin: twinAgent },
  getAgentVoicemailAudio: { means: 'unmade', params: () => ({ eid: '100001', id: 'nothing' }) },
  markAgentVoicemailHeard: { means: 'unmade', params: () => ({ eid: '100001', id: 'nothing' }) },
  getLiveState: { means: 'own' },
  followLiveState: { means: 'stream' },
  getHealth: { means: 'own' },
  getPrompts: { means: 'own' },
  listReferences: { means: 'record', params: ({ onlyA }) => ({ kind: 'ivr', id: onlyA.ivr }) },
  listDeletedRecords: { means: 'own' },
  restoreDeletedRecord: { means: 'unmade', params: () => ({ id: 'nothing' }) },
  eraseDeletedRecord: { means: 'unmade', params: () => ({ id: 'nothing' }) },
  getDraft: { means: 'own' },
  discardDraft: { means: 'own' },
  checkDraft: { means: 'own' },
  simulateDraft: { means: 'unmade', body: { entry: 'ivr||nothing', script: '1' } },
  publishDraft: { means: 'own', fails: 'draft_empty', body: { reason: 'x' } },
  discardDrafted: { means: 'unmade', params: () => ({ kind: 'ivr', id: 'nothing' }) },
  listPublications: { means: 'own' },
  rollBack: { means: 'unmade', params: () => ({ id: 'nothing' }), body: { reason: 'x' } },
  listNotifications: { means: 'own' },
  getWallboard: { means: 'own' },
  putWallboard: { means: 'own', body: { service_level_seconds: 30 } },
  getSettings: { means: 'own' },
  getLimits: { means: 'own' },
  putSettings: { means: 'own', body: { sms_templates: true, strict_references: true } },
  healthz: { means: 'open' },
  readyz: { means: 'open' },
  metrics: { means: 'open' },
  openApi: { means: 'open' },
  docs: { means: 'open' },
  docsErrors: { means: 'open' },
  docsAsset: { means: 'open', params: () => ({ file: 'docs.js' }) },
};

const PUT_ALONE = ['putCurrentSession', 'putOwnName', 'putOwnPassword', 'putWallboard'];

/** Every PATCH is addressed as its PUT is, and a body that replaces a whole record changes one too. */
function withPatches([id, row]: [string, Row]): [string, Row][] {
  const hasPatch = id.startsWith('put') && !PUT_ALONE.includes(id);
  return hasPatch
    ? [
        [id, row],
        [id.replace('put', 'patch'), row],
      ]
    : [[id, row]];
}

export const ROWS: Readonly<Record<string, Row>> = Object.fromEntries(
  Object.entries(TABLE).flatMap(withPatches),
);
