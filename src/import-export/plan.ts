// A file → what has to be written into an account to make it so. Everything is decided, and every fault found, before
// the first write.

import { beyondLimits } from '../api/schemas/trunk.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/account.ts';
import type { AccountLimits } from '../domain/account-limits.ts';
import { Numbering } from '../domain/numbering.ts';
import { mapReferences } from '../domain/record-references.ts';
import { routeOut } from '../domain/trunk.ts';
import { withinLimit } from '../kinds/field.ts';
import { KINDS, keysOf, type RecordKind } from '../kinds/lists.ts';
import { Faults } from '../kinds/problem.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
import type { AccountRecords, ExportFile, FileLists, FileRecord, RecordFault } from './export-file.ts';
import { type Exported, keyOf, nounOf } from './fields.ts';
import { matchFaults, matchRecords, type NewIds } from './match.ts';
import { Resolver } from './resolver.ts';
import { type NewSecrets, toData, WRITING_ORDER } from './to-data.ts';

interface ChangeOf<K extends RecordKind> {
  readonly action: 'create' | 'update' | 'same';
  readonly kind: K;
  readonly title: string;
  readonly id: string;
  readonly version: number | null;
  readonly data: RecordData[K];
}
export type Change = { [K in RecordKind]: ChangeOf<K> }[RecordKind];

export interface ImportPlan {
  /** In the order in which they are written. */
  readonly changes: readonly Change[];
  /** Those that differ. */
  readonly settings: Partial<Settings>;
  /** Recordings that are left out, since there is no sound for them. */
  readonly missingSounds: number;
  readonly faults: readonly RecordFault[];
  readonly warnings: readonly RecordFault[];
}

/** What the plan is given, since it reads no disk and draws no random numbers. */
export interface ImportContext extends NewIds, NewSecrets {
  hasSound(recording: Exported['recording']): boolean;
  /** The settings of the account before the import. */
  readonly settings: Settings;
  readonly limits: AccountLimits;
}

export function planImport(
  exportFile: ExportFile,
  target: AccountRecords,
  context: ImportContext,
): ImportPlan {
  const faults = matchFaults(exportFile, target);
  const warnings: RecordFault[] = [];
  const matches = matchRecords(exportFile, target, context);
  const settings = { ...context.settings, ...exportFile.settings };
  const lists: FileLists = exportFile;
  const planned = <K extends RecordKind>(kind: K, resolve: Resolve): ChangeOf<K>[] =>
    lists[kind].map((record: FileRecord<K>, index) => {
      const title = titleOf(kind, record);
      const at = `/${KINDS[kind].exported}/${index}`;
      const { id, stored } = matches[kind](keyOf(kind, record));
      const resolved = resolve(withoutMarks(kind, record), title, at);
      const warn = (pointer: string, message: string): void =>
        void warnings.push({ record: title, pointer: at + pointer, message });
      const data = toData(kind, resolved, stored, { id, target, matches, context, warn });
      return changeOf(kind, title, id, stored, data);
    });

  const recordings = planned('recording', (record) => record).filter((change, index) => {
    if (change.action === 'same' || context.hasSound({ ...change.data, id: change.id })) return true;
    warnings.push(missingSound(change, index));
    return false;
  });
  const trunks = planned('trunk', (record) => record);
  for (const [index, { title, data }] of trunks.entries())
    for (const { pointer, message } of beyondLimits(data, context.limits)?.faults ?? [])
      faults.push({ record: title, pointer: `/${KINDS.trunk.exported}/${index}${pointer}`, message });
  const resolver = new Resolver(
    exportFile,
    target,
    matches,
    present(target.recording, recordings),
    (number) => mayDial(number, present(target.trunk, trunks), settings),
  );
  const resolve: Resolve = (record, title, at) => {
    for (const { pointer, message, impossible, reportedBefore } of resolver.unresolved(record)) {
      const fault = { record: title, pointer: at + pointer, message };
      if (impossible || settings.strict_references) faults.push(fault);
      else if (!reportedBefore) warnings.push(fault);
    }
    return mapReferences(record, (text) => resolver.toId(text));
  };
  const changes = WRITING_ORDER.flatMap((kind): Change[] => {
    if (kind === 'recording') return recordings;
    return kind === 'trunk' ? trunks : (planned(kind, resolve) as Change[]);
  });
  const given = exportFile.settings && resolve(exportFile.settings, 'settings', '/settings');
  return {
    changes,
    settings: settingChanges(given, context, faults),
    missingSounds: exportFile.recording.length - recordings.length,
    faults,
    warnings,
  };
}

/** The records of a kind as they will be. */
function present<Data>(
  before: readonly StoredRecord<Data>[],
  changes: readonly { readonly id: string; readonly data: Data }[],
): StoredRecord<Data>[] {
  const stamps = { version: 1, createdAtMs: 0, updatedAtMs: 0 };
  const after = new Map(before.map((record) => [record.id, record]));
  for (const { id, data } of changes) after.set(id, { id, data, ...stamps });
  return [...after.values()];
}

function mayDial(
  number: string,
  trunks: readonly StoredRecord<RecordData['trunk']>[],
  settings: Settings,
): boolean {
  return routeOut(trunks, number, new Numbering(settings)) !== null;
}

function settingChanges(
  settings: Partial<Settings> = {},
  context: ImportContext,
  faults: RecordFault[],
): Partial<Settings> {
  const found = new Faults();
  withinLimit('max_outbound_calls', settings.max_outbound_calls, context.limits.max_outbound_calls, found);
  for (const { pointer, message } of found.list)
    faults.push({ record: 'settings', pointer: `/settings${pointer}`, message });
  const differing = keysOf(DEFAULT_SETTINGS).filter(
    (name) =>
      settings[name] !== undefined &&
      JSON.stringify(settings[name]) !== JSON.stringify(context.settings[name]),
  );
  return Object.fromEntries(differing.map((name) => [name, settings[name]]));
}

/** With the name that it has in the account. */
function withoutMarks<K extends RecordKind>(kind: K, record: FileRecord<K>): Exported[K] {
  const { shared_name: name, id, ...data } = record;
  return {
    ...data,
    ...(kind === 'recording' ? { id } : {}),
    ...(name === undefined ? {} : { name }),
  } as unknown as Exported[K];
}

/** The record with ids in place of names; `at` is its place in the file. */
type Resolve = <Item extends object>(record: Item, title: string, at: string) => Item;

function titleOf<K extends RecordKind>(kind: K, record: Exported[K]): string {
  const key = keyOf(kind, record);
  if (KINDS[kind].key === 'name') return `${nounOf(kind)} "${key}"`;
  return kind === 'agent' && 'name' in record ? `agent ${key} "${record.name}"` : `${nounOf(kind)} ${key}`;
}

function changeOf<K extends RecordKind>(
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
  const message = `Its sound is neither in the file nor in the data folder (recordings/${data.sha256}.wav): ${kept}.`;
  return { record: title, pointer: `/recordings/${index}`, message };
}
