// An export file, checked by the same fields as the bodies of the API. Names in references are put aside for the check,
// since an id has no spaces, and put back after it.

import { SETTINGS_FIELDS } from '../api/schemas/account.ts';
import { readTrunk } from '../api/schemas/trunk.ts';
import type { Settings } from '../domain/account.ts';
import { mapReferences } from '../domain/record-references.ts';
import type { KindRecord } from '../kinds/define-kind.ts';
import { type Fields, readFields, readRecord } from '../kinds/field.ts';
import { KINDS, type RecordKind } from '../kinds/lists.ts';
import { Faults, isProblem, type Problem } from '../kinds/problem.ts';
import { RECORDS } from '../kinds/records.ts';
import { isId, referenceText, splitReference } from '../kinds/reference.ts';
import {
  byKind,
  type ExportFile,
  type FileLists,
  type FileRecord,
  READ_VERSIONS,
  type RecordFault,
} from './export-file.ts';
import { type Exported, FIELDS, isNamedWord, keyOf, laterMembers, type Marks, nounOf } from './fields.ts';

type Members = { readonly [name: string]: unknown };

/** By the kind's fields, and what no single field can know. */
function read<K extends RecordKind>(kind: K, item: Members): Exported[K] | Problem {
  const faults = new Faults();
  const record = readFields<Fields>(FIELDS[kind], item, faults);
  const { check }: KindRecord = RECORDS[kind];
  check?.(record as never, faults);
  // The cast holds: FIELDS has the members of what a file has of the kind.
  return faults.list.length > 0 ? faults.toProblem() : (record as Exported[K]);
}

/** A record in the form that its fields read. */
const AS_SENT: { readonly [K in RecordKind]?: (item: Members) => Members | Problem } = {
  // No number to follow is stored as empty text, but sent as nothing.
  agent: ({ follow_me_number: follow, ...rest }) =>
    follow === '' ? rest : { ...rest, follow_me_number: follow },
  trunk: (item) => {
    const trunk = readTrunk(item);
    return isProblem(trunk) ? trunk : { ...item, addresses: trunk.addresses };
  },
};

function readItem<K extends RecordKind>(kind: K, item: Members): Exported[K] | Problem {
  const sent = AS_SENT[kind]?.(item) ?? item;
  return isProblem(sent) ? sent : read(kind, sent);
}

export type ExportFileReading =
  | { readonly ok: true; readonly exportFile: ExportFile }
  | { readonly ok: false; readonly faults: readonly RecordFault[] };

/** Whether it means to be an export file, and not the payload of one menu. */
export function isExportFile(value: Members): boolean {
  return 'dialtree' in value || 'ivrs' in value;
}

export function readExportFile(file: Members): ExportFileReading {
  const faults: RecordFault[] = [];
  if (!READ_VERSIONS.includes(file['dialtree'])) {
    const message = `dialtree must be ${READ_VERSIONS.join(' or ')}, the version of the format: this is not a file of "dialtree export", or one of a newer version.`;
    faults.push({ record: '', pointer: '/dialtree', message });
  }
  const names = new AsideNames();
  const settings = readSettings(file['settings'], faults);
  const lists = byKind<FileLists>((kind) => readList(kind, file, names, faults));
  const exportFile = settings ? { settings, ...lists } : lists;
  refuseSharedIntercoms(exportFile, faults);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, exportFile };
}

/** Those that the file has; the account keeps the others. */
function readSettings(value: unknown, faults: RecordFault[]): Partial<Settings> | null {
  if (value === undefined) return null;
  const given = isObject(value) ? readRecord(SETTINGS_FIELDS, value) : null;
  if (given === null)
    faults.push({ record: '', pointer: '/settings', message: 'settings must be an object.' });
  if (given === null || isProblem(given)) {
    for (const { pointer, message } of given?.faults ?? [])
      faults.push({ record: 'settings', pointer: `/settings${pointer}`, message });
    return null;
  }
  return Object.fromEntries(Object.entries(given).filter(([name]) => isObject(value) && name in value));
}

function readList<K extends RecordKind>(
  kind: K,
  file: Members,
  names: AsideNames,
  faults: RecordFault[],
): FileRecord<K>[] {
  const { exported: member } = KINDS[kind];
  const items = file[member] ?? [];
  if (!Array.isArray(items)) {
    faults.push({ record: '', pointer: `/${member}`, message: `${member} must be a list.` });
    return [];
  }
  const seen = new Map<string, number>();
  const ids = new Map<string, number>();
  return items.flatMap((item: unknown, index) => {
    const at = `/${member}/${index}`;
    if (!isObject(item)) {
      const message = `${member} ${index} must be an object.`;
      faults.push({ record: `${nounOf(kind)} ${index}`, pointer: at, message });
      return [];
    }
    const record = titleOf(kind, item[KINDS[kind].key], index);
    const data = names.around(item, (given) => readItem(kind, given));
    if (isProblem(data)) {
      const found = data.faults ?? [];
      faults.push(...found.map(({ pointer, message }) => ({ record, pointer: at + pointer, message })));
      return [];
    }
    const key = keyOf(kind, data);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      const message = `${KINDS[kind].key} is that of ${member} ${earlier}; within a file it must be different.`;
      faults.push({ record, pointer: `${at}/${KINDS[kind].key}`, message });
    }
    seen.set(key, index);
    const marks = readMarks(kind, item, (pointer, message) =>
      faults.push({ record, pointer: at + pointer, message }),
    );
    const twin = marks.id === undefined ? undefined : ids.get(marks.id);
    if (twin !== undefined) {
      const message = `id is that of ${member} ${twin}; within a file it must be different.`;
      faults.push({ record, pointer: `${at}/id`, message });
    }
    if (marks.id !== undefined) ids.set(marks.id, index);
    return [{ ...withoutUnsaid(kind, data, item), ...marks }];
  });
}

function readMarks(
  kind: RecordKind,
  item: Members,
  fault: (pointer: string, message: string) => void,
): Marks {
  const { id, shared_name: name } = item;
  if (id !== undefined && (typeof id !== 'string' || !isId(id)))
    fault('/id', 'id must be 1 to 64 letters, digits, ".", "_" or "-".');
  else if (kind === 'team' && id !== undefined && !/^[1-9][0-9]{0,8}$/.test(id))
    fault('/id', 'id must be a whole number, as ids of teams are.');
  if (name !== undefined && (typeof name !== 'string' || !isName(name)))
    fault('/shared_name', 'shared_name must be a name.');
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof name === 'string' ? { shared_name: name } : {}),
  };
}

/** Without the members that the file does not mention and that an account therefore keeps. */
function withoutUnsaid<K extends RecordKind>(kind: K, data: Exported[K], item: Members): Exported[K] {
  const unsaid = laterMembers(kind).filter((name) => item[name] === undefined);
  if (unsaid.length === 0) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !unsaid.includes(name))) as Exported[K];
}

function titleOf(kind: RecordKind, key: unknown, index: number): string {
  return `${nounOf(kind)} ${typeof key === 'string' ? JSON.stringify(key) : index}`;
}

function refuseSharedIntercoms(exportFile: ExportFile, faults: RecordFault[]): void {
  const owners = new Map<string, string>();
  for (const [index, agent] of exportFile.agent.entries()) {
    const owner = owners.get(agent.intercom);
    owners.set(agent.intercom, agent.eid);
    if (owner === undefined) continue;
    const message = `intercom ${agent.intercom} is that of agent ${owner} too.`;
    faults.push({
      record: titleOf('agent', agent.eid, index),
      pointer: `/agents/${index}/intercom`,
      message,
    });
  }
}

/** Names in references, each under an id that stands for it. */
class AsideNames {
  readonly #names: string[] = [];

  around<T extends object>(item: Members, read: (item: Members) => T | Problem): T | Problem {
    const data = read(mapReferences(item, (reference) => this.#aside(reference)));
    return isProblem(data) ? data : mapReferences(data, (reference) => this.#back(reference));
  }

  #aside(reference: string): string {
    const { kind, id } = splitReference(reference);
    if (!isNamedWord(kind) || !isName(id)) return reference;
    return referenceText(kind, `name-${this.#names.push(id) - 1}`);
  }

  #back(reference: string): string {
    const { kind, id } = splitReference(reference);
    const [, index] = /^name-(\d+)$/.exec(id) ?? [];
    const name = isNamedWord(kind) ? this.#names[Number(index)] : undefined;
    return name === undefined ? reference : referenceText(kind, name);
  }
}

function isName(label: string): boolean {
  return label.trim() !== '' && [...label.trim()].length <= 100 && !/\p{Cc}/u.test(label);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
