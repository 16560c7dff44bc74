// The catalogue of meanings: what every operation, parameter, header and member is, in plain sentences. Those of records are said by their kinds. A test fails for what has none.
import { KINDS, RECORD_KINDS } from '../../kinds/lists.ts';
import { RECORDS } from '../../kinds/records.ts';
import type { Route } from '../route.ts';
import type { Catalogue } from './describe.ts';
import { ACCOUNT, EVERYWHERE } from './meanings/account.ts';
import { BROWSER_PHONES } from './meanings/browser-phones.ts';
import { CALLS } from './meanings/calls.ts';
import { DRAFTS } from './meanings/drafts.ts';
import { FLOW } from './meanings/flow.ts';
import { LINES } from './meanings/lines.ts';
import { MESSAGES } from './meanings/messages.ts';
import { ANY_RECORD, OPERATIONS } from './meanings/operations.ts';
import { HEADERS, PARAMETERS } from './meanings/parameters.ts';
import { PEOPLE } from './meanings/people.ts';
import { REPORTS } from './meanings/reports.ts';
import { USERS } from './meanings/users.ts';

const CATALOGUE: Catalogue = {
  ...FLOW,
  ...PEOPLE,
  ...LINES,
  ...CALLS,
  ...BROWSER_PHONES,
  ...MESSAGES,
  ...ACCOUNT,
  ...USERS,
  ...REPORTS,
  ...DRAFTS,
};

const OF_KINDS: Catalogue = Object.fromEntries(
  RECORD_KINDS.map((kind) => [KINDS[kind].schema, RECORDS[kind].means]),
);

/** Schemas that show a record in another shape: NewIvrInput, IvrInput, IvrPatch, IvrWithWarnings, AgentCreated … */
const SHAPE = /^(?:Stamped|New)|(?:Input|Patch|Form|WithWarnings|WithChange|WithBody|Created|Written)$/g;
const SAME: Readonly<Record<string, string>> = { CallSummary: 'CallRecord' };

const CHOSEN = 'The id to give the new record, for paths and references. Not sent: one is made.';

/** The sentence of one member: its own, that of the record which the schema shows, or that of every record. */
export function meaningOf(schema: string, path: string): string | undefined {
  const record = SAME[schema] ?? schema.replace(SHAPE, '');
  // Statistics have the same figures as totals and in each part.
  const figure = path.replace(/^(?:totals|data\[\])\./, '');
  if (schema.startsWith('New') && path === 'id') return CHOSEN;
  const tables = [OF_KINDS[schema], CATALOGUE[schema], OF_KINDS[record], CATALOGUE[record], EVERYWHERE];
  for (const table of tables) {
    const found = table?.[path] ?? table?.[figure];
    if (found !== undefined) return found;
  }
  return undefined;
}

export const parameterMeaning = (operation: string, name: string): string | undefined =>
  PARAMETERS[`${atPresentPath(operation)}.${name}`] ?? PARAMETERS[name];

export const headerMeaning = (name: string): string | undefined => HEADERS[name];

/** A former path (former-paths.ts) means what the present one does. */
const atPresentPath = (operation: string): string => operation.replace(/AtFormerPath$/, '');

export function operationMeaning(route: Route): string | undefined {
  const id = atPresentPath(route.id);
  const own = OPERATIONS[id];
  if (own !== undefined) return own;
  const [pattern, sentence] = ANY_RECORD.find(([verb]) => verb.test(id)) ?? [];
  return pattern && sentence?.(nounOf(id.replace(pattern, '')));
}

/** `VoicemailBoxes` → `voicemail boxes`. */
const nounOf = (name: string): string =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
    .replace(/^ivr/i, 'IVR')
    .replace(/^sms/i, 'SMS');
