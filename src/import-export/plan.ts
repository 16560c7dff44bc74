// A file → what has to be written into an account to make it so. Everything is decided, and every fault found, before
// the first write.
import { AGENT_DEFAULTS, type Agent, type SipDigests } from '../domain/agent.ts';
import { type ExportedKind, KINDS, keysOf, type RecordData } from '../domain/kinds.ts';
import { NUMBER_DEFAULTS } from '../domain/number.ts';
import type { StoredRecord } from '../domain/record.ts';
import { mapReferences } from '../domain/record-references.ts';
import { RECORDING_DEFAULTS } from '../domain/recording.ts';
import type { AccountRecords, ExportFile, RecordFault } from './export-file.ts';
import { type Exported, KEY, keyOf, nounOf } from './fields.ts';
import { type Matches, matchFaults, matchRecords, type NewIds } from './match.ts';
import { Resolver } from './resolver.ts';

interface ChangeOf<K extends ExportedKind> {
  readonly action: 'create' | 'update' | 'same';
  readonly kind: K;
  readonly title: string;
  readonly id: string;
  readonly version: number | null;
  readonly data: RecordData[K];
}
export type Change = { [K in ExportedKind]: ChangeOf<K> }[ExportedKind];

export interface ImportPlan {
  /** In the order in which they are written. */
  readonly changes: readonly Change[];
  readonly faults: readonly RecordFault[];
  readonly warnings: readonly RecordFault[];
}

/** What the plan is given, since it reads no disk and draws no random numbers. */
export interface ImportContext extends NewIds {
  newDigests(eid: string, intercom: string): SipDigests;
  hasSound(sha256: string): boolean;
  mayDial(number: string): boolean;
  /** Whether a reference that leads nowhere is a fault (the account's setting). */
  readonly strictReferences: boolean;
}

interface Around {
  readonly target: AccountRecords;
  readonly matches: Matches;
  readonly context: ImportContext;
}

type ToData<K extends ExportedKind> = (
  record: Exported[K],
  stored: StoredRecord<RecordData[K]> | null,
  around: Around,
) => RecordData[K];

/** What is stored of a record in a file. In the order of writing: what is pointed to first, numbers last. */
const TO_DATA: { readonly [K in ExportedKind]: ToData<K> } = {
  // What is known of a sound beyond the file stays as long as the sound does.
  recording: ({ id: _, ...recording }, stored) => ({
    ...(stored?.data.sha256 === recording.sha256 ? stored.data : RECORDING_DEFAULTS),
    ...recording,
  }),
  team: (team) => team,
  voicemail: (box) => box,
  announcement: (announcement) => announcement,
  timegroup: (group) => group,
  agent: agentData,
  department: (department) => department,
  ivr: (ivr) => ivr,
  number: (number, stored) => ({ ...(stored?.data ?? NUMBER_DEFAULTS), ...number }),
};

/** What the account made stays; a new intercom number needs a new password, as everywhere. */
function agentData(
  { team, timegroup, ...agent }: Exported['agent'],
  stored: StoredRecord<Agent> | null,
  { target, matches, context }: Around,
): Agent {
  const before = stored?.data ?? AGENT_DEFAULTS;
  const keepsPassword = stored !== null && stored.data.intercom === agent.intercom;
  return {
    sip_sha256: before.sip_sha256,
    record_calls: before.record_calls,
    ...agent,
    team_id: team === null ? unlisted(before.team_id, target.team) : Number(matches.team(team).id),
    timegroup_id:
      timegroup === null ? unlisted(before.timegroup_id, target.timegroup) : matches.timegroup(timegroup).id,
    sip: keepsPassword ? stored.data.sip : context.newDigests(agent.eid, agent.intercom),
  };
}

/** An id that no record of the account has stays as it is, since the file cannot name it; null otherwise. */
function unlisted<Id>(id: Id | null, records: readonly StoredRecord<unknown>[]): Id | null {
  return records.some((record) => record.id === String(id)) ? null : id;
}

export function planImport(
  exportFile: ExportFile,
  target: AccountRecords,
  context: ImportContext,
): ImportPlan {
  const faults = matchFaults(exportFile, target);
  const warnings: RecordFault[] = [];
  const matches = matchRecords(target, context);
  const around = { target, matches, context };
  const planned = <K extends ExportedKind>(kind: K, resolve: Resolve): ChangeOf<K>[] =>
    exportFile[kind].map((record, index) => {
      const title = titleOf(kind, record);
      const { id, stored } = matches[kind](keyOf(kind, record));
      const resolved = resolve(record, title, `/${KINDS[kind].exported}/${index}`);
      return changeOf(kind, title, id, stored, TO_DATA[kind](resolved, stored, around));
    });

  const recordings = planned('recording', (record) => record).filter((change, index) => {
    if (change.action === 'same' || context.hasSound(change.data.sha256)) return true;
    warnings.push(missingSound(change, index));
    return false;
  });
  const present = [...target.recording, ...recordings].map(({ id }) => id);
  const resolver = new Resolver(exportFile, target, matches, present, context.mayDial);
  const resolve: Resolve = (record, title, at) => {
    for (const { pointer, message, impossible, reportedBefore } of resolver.unresolved(record)) {
      const fault = { record: title, pointer: at + pointer, message };
      if (impossible || context.strictReferences) faults.push(fault);
      else if (!reportedBefore) warnings.push(fault);
    }
    return mapReferences(record, (text) => resolver.toId(text));
  };
  const changes: Change[] = [...recordings];
  for (const kind of keysOf(TO_DATA))
    if (kind !== 'recording') changes.push(...(planned(kind, resolve) as Change[]));
  return { changes, faults, warnings };
}

/** The record with ids in place of names; `at` is its place in the file. */
type Resolve = <Item extends object>(record: Item, title: string, at: string) => Item;

function titleOf<K extends ExportedKind>(kind: K, record: Exported[K]): string {
  const key = keyOf(kind, record);
  if (KEY[kind] === 'name') return `${nounOf(kind)} "${key}"`;
  return kind === 'agent' && 'name' in record ? `agent ${key} "${record.name}"` : `${nounOf(kind)} ${key}`;
}

function changeOf<K extends ExportedKind>(
  kind: K,
  title: string,
  id: string,
  stored: StoredRecord<RecordData[K]> | null,
  data: RecordData[K],
): ChangeOf<K> {
  const action = stored === null ? 'create' : alike(stored.data, data) ? 'same' : 'update';
  return { action, kind, title, id, version: stored?.version ?? null, data };
}

/** Whether two records say the same; the order of members says nothing, except within tests, which are kept as sent. */
function alike(one: object, other: object): boolean {
  const text = (record: object): string =>
    JSON.stringify(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}

/** A recording is its sound: without the file there is nothing to play, and no record is made that says otherwise. */
function missingSound({ title, action, data }: ChangeOf<'recording'>, index: number): RecordFault {
  const kept = action === 'create' ? 'it is not created' : 'the account keeps the one it has';
  const message = `There is no file recordings/${data.sha256}.wav in the data folder: ${kept}.`;
  return { record: title, pointer: `/recordings/${index}`, message };
}
