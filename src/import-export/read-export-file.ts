// An export file, checked by the same fields as the bodies of the API. Names in references are put aside for the check,
// since an id has no spaces, and put back after it.
import { readDepartment } from '../api/schemas/department.ts';
import { readRecord } from '../api/schemas/field.ts';
import { readIvr } from '../api/schemas/ivr.ts';
import { readTimeGroup } from '../api/schemas/time-group.ts';
import { type ExportedKind, KINDS } from '../domain/kinds.ts';
import { isProblem, type Problem } from '../domain/problem.ts';
import { mapReferences } from '../domain/record-references.ts';
import { referenceText, splitReference } from '../domain/reference.ts';
import { byExportedKind, EXPORT_VERSION, type ExportFile, type RecordFault } from './export-file.ts';
import { type Exported, FIELDS, isNamedKind, KEY, keyOf, laterMembers, nounOf } from './fields.ts';

type Members = { readonly [name: string]: unknown };

const READ: { readonly [K in ExportedKind]: (item: Members) => Exported[K] | Problem } = {
  ivr: readIvr,
  department: readDepartment,
  team: (item) => readRecord(FIELDS.team, item),
  agent: readAgent,
  timegroup: readTimeGroup,
  announcement: (item) => readRecord(FIELDS.announcement, item),
  voicemail: (item) => readRecord(FIELDS.voicemail, item),
  recording: (item) => readRecord(FIELDS.recording, item),
  number: (item) => readRecord(FIELDS.number, item),
};

/** No number to follow is stored as empty text, but sent as nothing. */
function readAgent(item: Members): Exported['agent'] | Problem {
  const { follow_me_number: follow, ...rest } = item;
  return readRecord(FIELDS.agent, follow === '' ? rest : item);
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
  if (file['dialtree'] !== EXPORT_VERSION) {
    const message = `dialtree must be ${EXPORT_VERSION}, the version of the format: this is not a file of "dialtree export".`;
    faults.push({ record: '', pointer: '/dialtree', message });
  }
  const names = new AsideNames();
  const exportFile = byExportedKind<ExportFile>((kind) => readList(kind, file, names, faults));
  refuseSharedIntercoms(exportFile, faults);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, exportFile };
}

function readList<K extends ExportedKind>(
  kind: K,
  file: Members,
  names: AsideNames,
  faults: RecordFault[],
): Exported[K][] {
  const { exported: member } = KINDS[kind];
  const items = file[member] ?? [];
  if (!Array.isArray(items)) {
    faults.push({ record: '', pointer: `/${member}`, message: `${member} must be a list.` });
    return [];
  }
  const seen = new Map<string, number>();
  return items.flatMap((item: unknown, index) => {
    const at = `/${member}/${index}`;
    if (!isObject(item)) {
      const message = `${member} ${index} must be an object.`;
      faults.push({ record: `${nounOf(kind)} ${index}`, pointer: at, message });
      return [];
    }
    const record = titleOf(kind, item[KEY[kind]], index);
    const data = names.around(item, READ[kind]);
    if (isProblem(data)) {
      const found = data.faults ?? [];
      faults.push(...found.map(({ pointer, message }) => ({ record, pointer: at + pointer, message })));
      return [];
    }
    const key = keyOf(kind, data);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      const message = `${KEY[kind]} is that of ${member} ${earlier}; within a file it must be different.`;
      faults.push({ record, pointer: `${at}/${KEY[kind]}`, message });
    }
    seen.set(key, index);
    return [withoutUnsaid(kind, data, item)];
  });
}

/** Without the members that the file does not mention and that an account therefore keeps. */
function withoutUnsaid<K extends ExportedKind>(kind: K, data: Exported[K], item: Members): Exported[K] {
  const unsaid = laterMembers(kind).filter((name) => item[name] === undefined);
  if (unsaid.length === 0) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !unsaid.includes(name))) as Exported[K];
}

function titleOf(kind: ExportedKind, key: unknown, index: number): string {
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
    if (!isNamedKind(kind) || !isName(id)) return reference;
    return referenceText(kind, `name-${this.#names.push(id) - 1}`);
  }

  #back(reference: string): string {
    const { kind, id } = splitReference(reference);
    const [, index] = /^name-(\d+)$/.exec(id) ?? [];
    const name = isNamedKind(kind) ? this.#names[Number(index)] : undefined;
    return name === undefined ? reference : referenceText(kind, name);
  }
}

function isName(label: string): boolean {
  return label.trim() !== '' && [...label.trim()].length <= 100 && !/\p{Cc}/u.test(label);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
