// What may be sent to set variables of the service, and what is shown of them.
import {
  SETTABLE_VARIABLES,
  type SettableVariable,
  VARIABLE_LOCKS,
  VARIABLE_SOURCES,
} from '../../domain/service-variable.ts';
import { digitsOf, type Field, type JsonSchema, optional, text } from '../../kinds/field.ts';
import { object, string } from './output.ts';

const MAX = 1_000;
const TEXT = text({ min: 0, max: MAX });
/** As the environment would have it: the form is checked by the code that reads the environment. */
const variable: Field<string> = {
  ...TEXT,
  input: { type: ['string', 'integer'], minimum: 0 },
  read: (value, at, faults) => TEXT.read(digitsOf(value), at, faults),
};

/** Members are in snake_case: SMTP_URL is smtp_url. */
export const memberOf = (name: string): string => name.toLowerCase();

type Member = Lowercase<SettableVariable>;
export const CONFIGURATION_FIELDS = Object.fromEntries(
  SETTABLE_VARIABLES.map((name) => [memberOf(name), optional(variable, null)]),
) as { readonly [M in Member]: Field<string | null> };

const nullableText = { type: ['string', 'null'] };
const boolean = { type: 'boolean' };
const GROUP = object({
  ready: boolean,
  variables: {
    type: 'array',
    items: object({
      name: string,
      value: nullableText,
      fixed: boolean,
      secret: boolean,
      source: { enum: VARIABLE_SOURCES },
      locked: { enum: [...VARIABLE_LOCKS, null] },
      next_value: nullableText,
      next_source: { enum: VARIABLE_SOURCES },
      pending_restart: boolean,
    }),
  },
});

export const CONFIGURATION: JsonSchema = object({ mail: GROUP, sms: GROUP, speech: GROUP, network: GROUP });
