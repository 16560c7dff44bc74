// Agents from a table: the plan for each row and its faults, before anything is sent.
import { bareValue, type CsvRow } from '../../kit/csv.ts';

export const COLUMNS = [
  'name',
  'eid',
  'intercom',
  'follow_me_number',
  'team',
  'departments',
  'click_to_call',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Accepted headings, in lower case without spaces and punctuation. */
const HEADINGS: Readonly<Record<Column, readonly string[]>> = {
  name: ['name', 'fullname', 'agent', 'agentname', 'नाम'],
  eid: ['eid', 'id', 'agentid', 'employeeid', 'employee'],
  intercom: ['intercom', 'extension', 'ext', 'sipuser'],
  follow_me_number: [
    'followmenumber',
    'followme',
    'number',
    'phone',
    'phonenumber',
    'mobile',
    'mobilenumber',
    'नंबर',
  ],
  team: ['team', 'teamname', 'group', 'टीम'],
  departments: ['departments', 'department', 'queues', 'queue', 'विभाग'],
  click_to_call: ['clicktocall', 'productclicktocall', 'dialout'],
};

export type RowFaultCode =
  | 'name-missing'
  | 'name-long'
  | 'text-control'
  | 'eid-malformed'
  | 'eid-twice'
  | 'eid-taken'
  | 'intercom-malformed'
  | 'intercom-twice'
  | 'intercom-taken'
  | 'number-malformed'
  | 'team-unknown'
  | 'team-ambiguous'
  | 'department-unknown'
  | 'department-ambiguous'
  | 'flag-malformed';

export interface RowFault {
  readonly column: Column;
  readonly code: RowFaultCode;
  /** The line of the conflicting row. */
  readonly line?: number;
}

export interface AgentBody {
  readonly name: string;
  readonly eid?: string;
  readonly intercom?: string;
  readonly follow_me_number?: string;
  readonly team_id?: number;
  readonly product_clicktocall?: 0 | 1;
}

export type Cells = Readonly<Record<Column, string>>;

export interface SheetRow {
  readonly line: number;
  readonly cells: Cells;
}

export interface Sheet {
  readonly rows: readonly SheetRow[];
  /** The known columns of the file. */
  readonly columns: readonly Column[];
  /** Unknown headings. */
  readonly ignored: readonly string[];
}

export interface PlannedRow extends SheetRow {
  /** `there`: an agent with this eid or intercom and this name exists; it stays unchanged. */
  readonly state: 'new' | 'there' | 'faulty';
  readonly faults: readonly RowFault[];
  /** An agent with this name exists under another eid: not a fault, but shown. */
  readonly namesake: boolean;
  readonly body: AgentBody;
  /** The ids of the departments that the agent joins. */
  readonly departments: readonly string[];
  /** The same for the same content, so that a repeated import creates no agent twice. */
  readonly key: string;
}

export interface KnownAgent {
  readonly name: string;
  readonly eid: string;
  readonly intercom: string;
}

export interface Known {
  readonly agents: readonly KnownAgent[];
  readonly teams: readonly { readonly id: number; readonly name: string }[];
  readonly departments?: readonly { readonly id: string; readonly name: string }[];
  /** Whether teams and departments that do not exist will be created. */
  readonly creates?: boolean;
}

const heading = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_.-]/g, '')
    .slice(0, 40);

/** The rows by columns, or null without a column of names. */
export function sheetOf(rows: readonly CsvRow[]): Sheet | null {
  const headings = rows[0]?.cells ?? [];
  const places = new Map<Column, number>();
  const ignored: string[] = [];
  for (const [index, text] of headings.entries()) {
    const column = COLUMNS.find((each) => HEADINGS[each].includes(heading(text)));
    if (column && !places.has(column)) places.set(column, index);
    else if (text.trim() !== '') ignored.push(text.trim());
  }
  if (!places.has('name')) return null;
  const cellsOf = (row: CsvRow): Cells => {
    const cell = (column: Column) => bareValue(row.cells[places.get(column) ?? -1] ?? '');
    return Object.fromEntries(COLUMNS.map((column) => [column, cell(column)])) as Record<Column, string>;
  };
  return {
    rows: rows.slice(1).map((row) => ({ line: row.line, cells: cellsOf(row) })),
    columns: COLUMNS.filter((column) => places.has(column)),
    ignored,
  };
}

/** A telephone number without separators. */
export const bareNumber = (text: string): string => text.replaceAll(/[\s()./-]/g, '');

const YES = ['1', 'yes', 'y', 'true', 'on', 'x', 'हाँ'];
const NO = ['', '0', 'no', 'n', 'false', 'off', 'नहीं'];

export function planOf(sheet: Sheet, known: Known): PlannedRow[] {
  const firstLines = { eid: new Map<string, number>(), intercom: new Map<string, number>() };
  for (const { cells, line } of sheet.rows)
    for (const column of ['eid', 'intercom'] as const)
      if (cells[column] !== '' && !firstLines[column].has(cells[column]))
        firstLines[column].set(cells[column], line);
  const byEid = new Map(known.agents.map((agent) => [agent.eid, agent]));
  const byIntercom = new Map(known.agents.map((agent) => [agent.intercom, agent]));
  const names = new Set(known.agents.map(({ name }) => name.toLowerCase()));
  const seen = new Map<string, number>();
  return sheet.rows.map((row) => {
    const { cells, line } = row;
    const owner = byEid.get(cells.eid) ?? byIntercom.get(cells.intercom);
    const there = owner !== undefined && owner.name === cells.name;
    const faults = there ? [] : [...ownFaults(cells, known), ...clashes(row, firstLines, byEid, byIntercom)];
    const body = bodyOf(cells, known);
    const text = JSON.stringify(body);
    const ordinal = (seen.get(text) ?? 0) + 1;
    seen.set(text, ordinal);
    return {
      ...row,
      line,
      faults,
      state: there ? 'there' : faults.length > 0 ? 'faulty' : 'new',
      namesake: !there && names.has(cells.name.toLowerCase()),
      body,
      departments: departmentNames(cells).flatMap((name) =>
        named(name, known.departments).map(({ id }) => id),
      ),
      key: `agents-csv-${hashOf(text)}-${ordinal}`,
    };
  });
}

function ownFaults(cells: Cells, known: Known): RowFault[] {
  const faults: RowFault[] = [];
  const add = (column: Column, code: RowFaultCode) => faults.push({ column, code });
  if (cells.name === '') add('name', 'name-missing');
  else if ([...cells.name].length > 100) add('name', 'name-long');
  else if (/\p{Cc}/u.test(cells.name)) add('name', 'text-control');
  if (cells.eid !== '' && !/^[A-Za-z0-9._-]{1,64}$/.test(cells.eid)) add('eid', 'eid-malformed');
  if (cells.intercom !== '' && !/^[0-9]{2,10}$/.test(cells.intercom)) add('intercom', 'intercom-malformed');
  const number = bareNumber(cells.follow_me_number);
  if (number !== '' && !/^\+?[0-9]{3,15}$/.test(number)) add('follow_me_number', 'number-malformed');
  if (cells.team !== '') {
    const count = named(cells.team, known.teams).length;
    if (count > 1) add('team', 'team-ambiguous');
    else if (count === 0 && !known.creates) add('team', 'team-unknown');
  }
  const counts = departmentNames(cells).map((name) => named(name, known.departments).length);
  if (counts.some((count) => count > 1)) add('departments', 'department-ambiguous');
  else if (counts.includes(0) && !known.creates) add('departments', 'department-unknown');
  const flag = cells.click_to_call.toLowerCase();
  if (!YES.includes(flag) && !NO.includes(flag)) add('click_to_call', 'flag-malformed');
  return faults;
}

function clashes(
  { cells, line }: SheetRow,
  firstLines: Readonly<Record<'eid' | 'intercom', ReadonlyMap<string, number>>>,
  byEid: ReadonlyMap<string, KnownAgent>,
  byIntercom: ReadonlyMap<string, KnownAgent>,
): RowFault[] {
  const faults: RowFault[] = [];
  for (const column of ['eid', 'intercom'] as const) {
    const value = cells[column];
    if (value === '') continue;
    const first = firstLines[column].get(value);
    if (first !== undefined && first !== line) faults.push({ column, code: `${column}-twice`, line: first });
    if ((column === 'eid' ? byEid : byIntercom).has(value)) faults.push({ column, code: `${column}-taken` });
  }
  return faults;
}

const named = <Record extends { readonly name: string }>(name: string, records: readonly Record[] = []) =>
  records.filter((record) => record.name.trim().toLowerCase() === name.toLowerCase());

/** Several are separated by semicolons. */
const departmentNames = ({ departments }: Cells): string[] =>
  [...new Set(departments.split(';').map((name) => name.trim()))].filter((name) => name !== '');

export interface Missing {
  readonly teams: readonly string[];
  readonly departments: readonly string[];
}

/** The teams and departments of the file that do not exist, each once, in its first spelling. */
export function missingOf(sheet: Sheet, known: Known): Missing {
  const missing = (
    names: readonly string[],
    records: readonly { readonly name: string }[] = [],
  ): string[] => {
    const found = new Map<string, string>();
    for (const name of names)
      if (name !== '' && named(name, records).length === 0 && !found.has(name.toLowerCase()))
        found.set(name.toLowerCase(), name);
    return [...found.values()];
  };
  return {
    teams: missing(
      sheet.rows.map(({ cells }) => cells.team),
      known.teams,
    ),
    departments: missing(
      sheet.rows.flatMap(({ cells }) => departmentNames(cells)),
      known.departments,
    ),
  };
}

function bodyOf(cells: Cells, known: Known): AgentBody {
  const team = named(cells.team, known.teams)[0];
  const number = bareNumber(cells.follow_me_number);
  return {
    name: cells.name,
    ...(cells.eid === '' ? {} : { eid: cells.eid }),
    ...(cells.intercom === '' ? {} : { intercom: cells.intercom }),
    ...(number === '' ? {} : { follow_me_number: number }),
    ...(cells.team === '' || !team ? {} : { team_id: team.id }),
    ...(YES.includes(cells.click_to_call.toLowerCase()) ? { product_clicktocall: 1 as const } : {}),
  };
}

/** 64 bits of FNV-1a, not a secret: on a collision the server compares the bodies and refuses. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text))
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}

export const withCell = (sheet: Sheet, line: number, column: Column, value: string): Sheet => ({
  ...sheet,
  rows: sheet.rows.map((row) =>
    row.line === line ? { ...row, cells: { ...row.cells, [column]: value } } : row,
  ),
});

export const withoutRow = (sheet: Sheet, line: number): Sheet => ({
  ...sheet,
  rows: sheet.rows.filter((row) => row.line !== line),
});

/** A sample file. */
export const SAMPLE: readonly (readonly string[])[] = [
  ['name', 'eid', 'intercom', 'follow_me_number', 'team', 'departments', 'click_to_call'],
  ['Asha Rao', '', '', '+919812345678', '', '', 'yes'],
  ['Ben Okafor', 'ben.okafor', '2001', '', '', 'Sales; Support', 'no'],
];
