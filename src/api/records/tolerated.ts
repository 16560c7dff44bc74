// What POST /v1/ivr ignores because the specification tolerates it, as warnings for the answer.

import { type Field, inputSchema, shown } from '../../kinds/field.ts';
import { TOLERATED_FIELDS } from '../../kinds/ivr.ts';
import { noteUnknown, shapeOf } from '../../kinds/known-names.ts';
import { Faults } from '../../kinds/problem.ts';
import { CHOSEN_ID } from '../../kinds/reference-fields.ts';
import { TESTS_QUERY } from '../calls/test-gate.ts';
import type { ApiRequest } from '../http/handler.ts';
import { NEW_IVR_FIELDS } from '../schemas/ivr.ts';
import type { Warning } from './warnings.ts';

const MEMBERS = shapeOf(inputSchema(NEW_IVR_FIELDS));
const PARAMETERS = shapeOf(inputSchema(TESTS_QUERY));
/** Names in one answer. */
const MOST_NAMED = 10;

const INSTEAD = {
  recording_invalid: 'invalid_recording is played there too',
  timeout_retries: 'timeout_tries is what counts',
} as const satisfies Record<keyof typeof TOLERATED_FIELDS, string>;
const TOLERATED = Object.entries(TOLERATED_FIELDS).map(
  ([name, field]) => [name, field, INSTEAD[name as keyof typeof INSTEAD]] as const,
);
const NEW_ID = ['id', CHOSEN_ID, 'a new id is made'] as const;

export function toleratedIn({ params, query, body: { value } }: ApiRequest): Warning[] {
  // Every other operation on menus refuses unknown names before its handler is called, and takes any id that GET shows.
  if (params['id'] !== undefined) return unusableValues(value, TOLERATED);
  return [...unknownNames(query, value), ...unusableValues(value, [NEW_ID, ...TOLERATED])];
}

function unknownNames(query: object, body: object): Warning[] {
  const faults = new Faults();
  if (MEMBERS) noteUnknown(MEMBERS, body, faults);
  if (PARAMETERS) noteUnknown(PARAMETERS, query, faults, 'unknown_parameter');
  const { list } = faults;
  const said = list.slice(0, MOST_NAMED).map(({ code, message }): Warning => {
    return { pointer: '', code, message: `Ignored: ${message}` };
  });
  if (list.length <= MOST_NAMED) return said;
  const more = `Ignored: ${list.length - MOST_NAMED}${faults.full ? ' or more' : ''} other unknown names.`;
  return [...said, { pointer: '', code: 'unknown_member', message: more }];
}

function unusableValues(
  body: ApiRequest['body']['value'],
  fields: readonly (readonly [name: string, field: Field<unknown>, instead: string])[],
): Warning[] {
  const warnings: Warning[] = [];
  for (const [name, field, instead] of fields) {
    const value = body[name] ?? null;
    const faults = new Faults();
    if (value !== null) field.read(value, `/${name}`, faults);
    if (faults.list.length === 0) continue;
    const message = `${shown(value)} cannot be used and is ignored; ${instead}.`;
    warnings.push({ pointer: `/${name}`, code: 'value_ignored', message });
  }
  return warnings;
}
