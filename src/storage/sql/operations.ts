// All operations by name: SQLite's worker is told the name, PostgreSQL's adapter calls the function.
import type { Storage } from '../storage.ts';
import * as account from './account.ts';
import * as audit from './audit.ts';
import * as call from './call.ts';
import * as callRecording from './call-recording.ts';
import { forgetCalls } from './call-retention.ts';
import { findCalls } from './call-search.ts';
import { compareCounts, sumCounts } from './call-statistics.ts';
import * as claim from './claim.ts';
import * as message from './message.ts';
import * as outbox from './outbox.ts';
import * as record from './record.ts';
import { revisions } from './revision.ts';
import type { Tx } from './tx.ts';

export const READS = {
  getRecord: record.getRecord,
  getRecords: record.getRecords,
  listRecords: record.listRecords,
  listStamps: record.listStamps,
  listVersions: record.listVersions,
  getVersion: record.getVersion,
  findReferrers: record.findReferrers,
  listAccounts: account.listAccounts,
  listTokens: account.listTokens,
  findClaim: claim.findClaim,
  getCall: call.getCall,
  answeredCounts: call.answeredCounts,
  recordedSounds: record.recordedSounds,

  getCallRecording: callRecording.getCallRecording,
  countMessages: callRecording.countMessages,
  listCallRecordings: callRecording.listCallRecordings,

  getJob: outbox.getJob,
  listJobs: outbox.listJobs,
  countJobs: outbox.countJobs,
  getMessage: message.getMessage,
  listMessages: message.listMessages,

  findCalls,
  sumCounts,
  compareCounts,

  listAudit: audit.listAudit,

  revisions,
} as const;

export const WRITES = {
  createRecord: record.createRecord,
  createRecords: record.createRecords,
  updateRecord: record.updateRecord,
  deleteRecord: record.deleteRecord,
  takeNumber: record.takeNumber,
  saveCalls: call.saveCalls,

  saveCallRecording: callRecording.saveCallRecording,
  markCallRecording: callRecording.markCallRecording,
  deleteCallRecording: callRecording.deleteCallRecording,

  addJobs: outbox.addJobs,
  claimJobs: outbox.claimJobs,
  settleJobs: outbox.settleJobs,
  requeueJob: outbox.requeueJob,
  forgetJobs: outbox.forgetJobs,
  queueMessages: message.queueMessages,
  changeMessages: message.changeMessages,
  takeReceipts: message.takeReceipts,
  forgetMessages: message.forgetMessages,

  forgetCalls,

  claim: claim.claim,
  dropClaim: claim.dropClaim,

  addAudit: audit.addAudit,
  forgetAudit: audit.forgetAudit,

  createAccount: account.createAccount,
  changeSettings: account.changeSettings,
  createToken: account.createToken,
  createSession: account.createSession,
  forgetSessions: account.forgetSessions,
  revokeToken: account.revokeToken,
  touchTokens: account.touchTokens,
  forgetClaims: claim.forgetClaims,
  probeWrite,
} as const;

export type ReadName = keyof typeof READS;
export type WriteName = keyof typeof WRITES;
export type OperationName = ReadName | WriteName;
type Operations = typeof READS & typeof WRITES;
export type InputOf<N extends OperationName> = Parameters<Operations[N]>[1];
export type OutputOf<N extends OperationName> = Awaited<ReturnType<Operations[N]>>;

export type Read = <N extends ReadName>(name: N) => (input: InputOf<N>) => Promise<OutputOf<N>>;
export type Write = <N extends WriteName>(name: N) => (input: InputOf<N>) => Promise<OutputOf<N>>;

/** The part of the port that is the same for every database that can read and write by name. */
export function storageOver(read: Read, write: Write): Omit<Storage, 'revisions' | 'probe' | 'close'> {
  const saveCalls = write('saveCalls');
  return {
    createRecord: write('createRecord'),
    updateRecord: write('updateRecord'),
    deleteRecord: write('deleteRecord'),
    takeNumber: write('takeNumber'),
    saveCalls: async (input) => saveCalls(call.batchOf(input)),
    createAccount: write('createAccount'),
    changeSettings: write('changeSettings'),
    createToken: write('createToken'),
    createSession: write('createSession'),
    forgetSessions: write('forgetSessions'),
    revokeToken: write('revokeToken'),
    touchTokens: write('touchTokens'),
    forgetClaims: write('forgetClaims'),
    getRecord: read('getRecord'),
    getRecords: read('getRecords'),
    listRecords: read('listRecords'),
    listStamps: read('listStamps'),
    listVersions: read('listVersions'),
    getVersion: read('getVersion'),
    findReferrers: read('findReferrers'),
    listAccounts: () => read('listAccounts')(undefined),
    listTokens: () => read('listTokens')(undefined),
    findClaim: read('findClaim'),
    getCall: read('getCall'),
    answeredCounts: read('answeredCounts'),
    recordedSounds: read('recordedSounds'),

    getCallRecording: read('getCallRecording'),
    countMessages: read('countMessages'),
    listCallRecordings: read('listCallRecordings'),
    saveCallRecording: write('saveCallRecording'),
    markCallRecording: write('markCallRecording'),
    deleteCallRecording: write('deleteCallRecording'),

    addJobs: write('addJobs'),
    claimJobs: write('claimJobs'),
    settleJobs: write('settleJobs'),
    requeueJob: write('requeueJob'),
    forgetJobs: write('forgetJobs'),
    getJob: read('getJob'),
    listJobs: read('listJobs'),
    countJobs: () => read('countJobs')(undefined),
    queueMessages: write('queueMessages'),
    changeMessages: write('changeMessages'),
    takeReceipts: write('takeReceipts'),
    forgetMessages: write('forgetMessages'),
    getMessage: read('getMessage'),
    listMessages: read('listMessages'),

    findCalls: read('findCalls'),
    sumCounts: read('sumCounts'),
    compareCounts: read('compareCounts'),
    forgetCalls: write('forgetCalls'),

    claim: write('claim'),
    dropClaim: write('dropClaim'),

    addAudit: write('addAudit'),
    listAudit: read('listAudit'),
    forgetAudit: write('forgetAudit'),
  };
}

/** A write that changes nothing anybody reads: it tells whether writing works again. */
async function probeWrite(tx: Tx, { atMs }: { atMs: number }): Promise<void> {
  await tx.run(
    "INSERT INTO revisions (topic, revision) VALUES ('probe', $1) ON CONFLICT (topic) DO UPDATE SET revision = excluded.revision",
    [atMs],
  );
}
