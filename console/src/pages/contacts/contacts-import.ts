// Contacts from a table, as address books write it: the plan for each row and its faults, before anything is sent.
import { plainNumber } from '../../../../src/kinds/number-text.ts';
import { bareValue, type CsvRow } from '../../kit/csv.ts';

export type ContactFault = 'name-missing' | 'numbers-missing' | 'numbers-many' | 'number-malformed';

export interface ContactBody {
  readonly name: string;
  readonly company: string;
  readonly numbers: string[];
  readonly email: string | null;
  readonly notes: string;
  readonly priority?: string;
}

export interface PlannedContact {
  readonly line: number;
  readonly body: ContactBody;
  /** `there`: the account has a contact with this name and company; it stays unchanged. */
  readonly state: 'new' | 'there' | 'faulty';
  readonly fault: ContactFault | null;
}

const MAX_NUMBERS = 10;
const MAX_NOTES = 1_000;

/** In lower case, without spaces and punctuation. */
const NAMES = ['name', 'fullname', 'contact', 'contactname', 'नाम'];
const FIRST_NAMES = ['firstname', 'givenname', 'vorname', 'prénom'];
const MIDDLE_NAMES = ['middlename', 'additionalname'];
const LAST_NAMES = ['lastname', 'familyname', 'surname', 'nachname', 'nom'];
const COMPANIES = [
  'company',
  'companyname',
  'organization',
  'organisation',
  'organizationname',
  'organization1name',
  'firma',
  'कंपनी',
];
const NOTES = ['notes', 'note', 'comment', 'comments', 'notizen', 'टिप्पणी', 'टिप्पणियाँ'];
/** `Phone 1 - Value`, `Business Phone 2`, `Mobile`, but not `Phone 1 - Type`, `Phonetic Name`, `Assistant's Phone` or `Government ID Number`. */
const NUMBER =
  /^(?:numbers?|phone.*|telephone.*|mobile.*|cell.*|tel|telefon.*|handy.*|.*(?:phone|mobile|cell)(?:number)?\d*|नंबर|फ़ोन)$/;
const EMAIL = /^e?mail(?:address|adresse)?\d*(?:value|address)?$|^ईमेल$/;
const NO_VALUE = /type|label|fax|pager|telex|phonetic|assistant|radio|tdd|callback/;

const headingOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_.()'’-]/g, '')
    .slice(0, 60);

type Columns = Readonly<
  Record<'name' | 'parts' | 'company' | 'notes' | 'priority' | 'numbers' | 'email', readonly number[]>
>;

function columnsOf(headings: readonly string[]): Columns {
  const places = (fits: (heading: string) => boolean): number[] =>
    headings.flatMap((heading, index) => (fits(heading) ? [index] : []));
  const among = (words: readonly string[]): number[] => places((heading) => words.includes(heading));
  const valued = (expression: RegExp): number[] =>
    places((heading) => expression.test(heading) && !NO_VALUE.test(heading));
  return {
    name: among(NAMES),
    parts: [FIRST_NAMES, MIDDLE_NAMES, LAST_NAMES].flatMap(among),
    company: among(COMPANIES),
    notes: among(NOTES),
    priority: among(['priority', 'प्राथमिकता']),
    numbers: valued(NUMBER),
    email: valued(EMAIL),
  };
}

/** Null if no column has names. Lines with the same name and company are one contact, with the numbers of all of them. */
export function planOf(
  rows: readonly CsvRow[],
  known: readonly { readonly name: string; readonly company: string }[],
): PlannedContact[] | null {
  const at = columnsOf((rows[0]?.cells ?? []).map(headingOf));
  if (at.name.length + at.parts.length + at.company.length === 0) return null;
  const there = new Set(known.map(keyOf));
  const contacts = new Map<string, { readonly line: number; readonly body: ContactBody }>();
  for (const { line, cells } of rows.slice(1)) {
    const body = bodyOf(cells, at);
    // Lines without a name are faults of their own.
    const key = body.name === '' ? `${line}` : keyOf(body);
    const above = contacts.get(key);
    if (above) contacts.set(key, { ...above, body: joined(above.body, body) });
    else contacts.set(key, { line, body });
  }
  return [...contacts.values()].map(({ line, body }) => {
    if (there.has(keyOf(body))) return { line, body, state: 'there', fault: null };
    const fault = faultOf(body);
    return { line, body, state: fault === null ? 'new' : 'faulty', fault };
  });
}

function bodyOf(cells: readonly string[], at: Columns): ContactBody {
  const values = (columns: readonly number[]): string[] =>
    columns.map((column) => bareValue(cells[column] ?? '')).filter((value) => value !== '');
  const [company = ''] = values(at.company);
  const person = values(at.name)[0] ?? values(at.parts).join(' ');
  const written = values(at.numbers).flatMap((cell) => cell.split(/:::|[;,\n]/));
  const numbers = written.map((number) => number.trim()).filter((number) => number !== '');
  const [priority] = values(at.priority);
  return {
    name: person === '' ? company : person,
    company: person === '' ? '' : company,
    numbers: [...new Set(numbers)],
    email: values(at.email)[0]?.split(/:::|[;,\s]/)[0] ?? null,
    notes: values(at.notes).join('\n').slice(0, MAX_NOTES),
    ...(priority === undefined ? {} : { priority }),
  };
}

function joined(one: ContactBody, other: ContactBody): ContactBody {
  const notes = [...new Set([one.notes, other.notes])].filter((note) => note !== '');
  return {
    ...other,
    ...one,
    numbers: [...new Set([...one.numbers, ...other.numbers])],
    email: one.email ?? other.email,
    notes: notes.join('\n').slice(0, MAX_NOTES),
  };
}

const keyOf = ({ name, company }: { readonly name: string; readonly company: string }): string =>
  `${name}\n${company}`.toLowerCase();

function faultOf({ name, numbers }: ContactBody): ContactFault | null {
  if (name === '') return 'name-missing';
  if (numbers.length === 0) return 'numbers-missing';
  if (numbers.length > MAX_NUMBERS) return 'numbers-many';
  return numbers.every((number) => plainNumber(number) !== null) ? null : 'number-malformed';
}
