// Contacts from a table, as address books write it: the plan for each row and its faults, before anything is sent.
import { normaliseNumber } from '../../../../src/kinds/number-text.ts';
import { bareValue, type CsvRow } from '../../kit/csv.ts';

export type ContactFault = 'name-missing' | 'numbers-missing' | 'number-malformed';

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

/** In lower case, without spaces and punctuation. */
const NAMES = ['name', 'fullname', 'displayname', 'contact', 'contactname', 'नाम'];
const FIRST_NAMES = ['firstname', 'givenname', 'vorname', 'prénom'];
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
/** `Phone 1 - Value`, `Business Phone`, `Mobile`, but not `Phone 1 - Type` or `Business Fax`. */
const NUMBER = /phone|mobile|cell|number|telefon|handy|^tel|नंबर|फ़ोन/;
const EMAIL = /e?mail|ईमेल/;
const NO_VALUE = /type|label|fax|pager|displayname/;

const headingOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_.()-]/g, '')
    .slice(0, 60);

/** Null if no column has names. */
export function planOf(
  rows: readonly CsvRow[],
  known: readonly { readonly name: string; readonly company: string }[],
): PlannedContact[] | null {
  const headings = (rows[0]?.cells ?? []).map(headingOf);
  const places = (fits: (heading: string) => boolean): number[] =>
    headings.flatMap((heading, index) => (fits(heading) ? [index] : []));
  const among = (words: readonly string[]): number[] => places((heading) => words.includes(heading));
  const valued = (expression: RegExp): number[] =>
    places((heading) => expression.test(heading) && !NO_VALUE.test(heading));
  const at = {
    name: among(NAMES),
    first: among(FIRST_NAMES),
    last: among(LAST_NAMES),
    company: among(COMPANIES),
    notes: among(NOTES),
    priority: among(['priority', 'प्राथमिकता']),
    numbers: valued(NUMBER),
    email: valued(EMAIL),
  };
  if (at.name.length + at.first.length + at.last.length + at.company.length === 0) return null;
  const there = new Set(known.map(keyOf));
  return rows.slice(1).map(({ line, cells }) => {
    const values = (columns: readonly number[]): string[] =>
      columns.map((column) => bareValue(cells[column] ?? '')).filter((value) => value !== '');
    const [company = ''] = values(at.company);
    const person = values(at.name)[0] ?? [...values(at.first), ...values(at.last)].join(' ');
    const written = values(at.numbers).flatMap((cell) => cell.split(/:::|[;,\n]/));
    const numbers = written.map((number) => number.trim()).filter((number) => number !== '');
    const [priority] = values(at.priority);
    const body = {
      name: person === '' ? company : person,
      company: person === '' ? '' : company,
      numbers: [...new Set(numbers)].slice(0, MAX_NUMBERS),
      email: values(at.email)[0]?.split(/:::|[;,\s]/)[0] ?? null,
      notes: values(at.notes)[0] ?? '',
      ...(priority === undefined ? {} : { priority }),
    };
    if (there.has(keyOf(body))) return { line, body, state: 'there', fault: null };
    const fault = faultOf(body);
    if (fault !== null) return { line, body, state: 'faulty', fault };
    // The same person twice in one file is created once.
    there.add(keyOf(body));
    return { line, body, state: 'new', fault };
  });
}

const keyOf = ({ name, company }: { readonly name: string; readonly company: string }): string =>
  `${name}\n${company}`.toLowerCase();

function faultOf({ name, numbers }: ContactBody): ContactFault | null {
  if (name === '') return 'name-missing';
  if (numbers.length === 0) return 'numbers-missing';
  return numbers.every((number) => normaliseNumber(number) !== null) ? null : 'number-malformed';
}
