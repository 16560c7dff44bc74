// An export file, checked by the same fields as the bodies of the API. Names in references are put aside for the check,
// since an id has no spaces, and put back after it.

import {
  EXPORT_VERSION,
  type ExportFile,
  isNamedKind,
  orderedAgent,
  type RecordFault,
} from '../../domain/import-export/export-file.ts';
import { mapReferences } from '../../domain/import-export/reference.ts';
import { isProblem, type Problem } from '../../domain/problem.ts';
import { referenceText, splitReference } from '../../domain/reference.ts';
import { readDepartment } from '../records/department.ts';
import { AGENT_FIELDS, eid, flag, intercom, TEAM_FIELDS } from './agent.ts';
import { ANNOUNCEMENT_FIELDS } from './announcement.ts';
import { type Fields, optional, pattern, readRecord, text, wholeNumber } from './field.ts';
import { readIvr } from './ivr.ts';
import { EXPORTED_NUMBER } from './number.ts';
import { readTimeGroup, TIME_GROUP_FIELDS } from './time-group.ts';
import { VOICEMAIL_BOX_FIELDS } from './voicemail-box.ts';

type Members = { readonly [name: string]: unknown };

const DAY_MS = 24 * 3_600_000;
const {
  eid: _eid,
  intercom: _intercom,
  team_id: _team,
  timegroup_id: _hours,
  sip_sha256: _sha256,
  ...agentFields
} = AGENT_FIELDS;

const AGENT = {
  ...agentFields,
  eid,
  intercom,
  team: optional(TEAM_FIELDS.name, null),
  timegroup: optional(TIME_GROUP_FIELDS.name, null),
  custom_status: optional(flag, 0 as const),
} as const;

const RECORDING = {
  id: eid,
  name: text({ min: 1, max: 200 }),
  duration_ms: wholeNumber(0, DAY_MS, 'milliseconds'),
  sha256: pattern(/^[0-9a-f]{64}$/, 'a SHA-256 in 64 small hexadecimal digits'),
} as const;

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
  const list = <T extends object>(
    member: keyof ExportFile,
    noun: string,
    key: string & keyof T,
    read: (item: Members) => T | Problem,
  ): T[] => readList(file, member, noun, key, (item) => names.around(item, read), faults);
  const by =
    <F extends Fields>(fields: F) =>
    (item: Members) =>
      readRecord(fields, item);

  const exportFile: ExportFile = {
    ivrs: list('ivrs', 'ivr', 'name', readIvr),
    departments: list('departments', 'department', 'name', readDepartment),
    teams: list('teams', 'team', 'name', by(TEAM_FIELDS)),
    agents: list('agents', 'agent', 'eid', readAgent),
    recordings: list('recordings', 'recording', 'id', by(RECORDING)),
    timegroups: list('timegroups', 'time group', 'name', readTimeGroup),
    announcements: list('announcements', 'announcement', 'name', by(ANNOUNCEMENT_FIELDS)),
    voicemail_boxes: list('voicemail_boxes', 'voicemail box', 'name', by(VOICEMAIL_BOX_FIELDS)),
    numbers: list('numbers', 'number', 'number', by(EXPORTED_NUMBER)),
  };
  refuseSharedIntercoms(exportFile, faults);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, exportFile };
}

/** No number to follow is stored as empty text, but sent as nothing. */
function readAgent(item: Members): ExportFile['agents'][number] | Problem {
  const { follow_me_number: follow, ...rest } = item;
  const agent = readRecord(AGENT, follow === '' ? rest : item);
  return isProblem(agent) ? agent : orderedAgent(agent);
}

function readList<T extends object>(
  file: Members,
  member: keyof ExportFile,
  noun: string,
  key: string & keyof T,
  read: (item: Members) => T | Problem,
  faults: RecordFault[],
): T[] {
  const items = file[member] ?? [];
  if (!Array.isArray(items)) {
    faults.push({ record: '', pointer: `/${member}`, message: `${member} must be a list.` });
    return [];
  }
  const seen = new Map<unknown, number>();
  return items.flatMap((item: unknown, index) => {
    const at = `/${member}/${index}`;
    if (!isObject(item)) {
      faults.push({
        record: `${noun} ${index}`,
        pointer: at,
        message: `${member} ${index} must be an object.`,
      });
      return [];
    }
    const record = titleOf(noun, item[key], index);
    const data = read(item);
    if (isProblem(data)) {
      const found = data.faults ?? [];
      faults.push(...found.map(({ pointer, message }) => ({ record, pointer: at + pointer, message })));
      return [];
    }
    const earlier = seen.get(data[key]);
    if (earlier !== undefined) {
      const message = `${key} is that of ${member} ${earlier}; within a file it must be different.`;
      faults.push({ record, pointer: `${at}/${key}`, message });
    }
    seen.set(data[key], index);
    return [data];
  });
}

function titleOf(noun: string, key: unknown, index: number): string {
  return typeof key === 'string' ? `${noun} ${JSON.stringify(key)}` : `${noun} ${index}`;
}

function refuseSharedIntercoms({ agents }: ExportFile, faults: RecordFault[]): void {
  const owners = new Map<string, string>();
  for (const [index, agent] of agents.entries()) {
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
