// What is shown of records of each kind. Kinds that show more than their fields are not among them.
import { type Fields, type JsonSchema, outputSchema } from '../../kinds/field.ts';
import { FIELDS } from '../../kinds/fields.ts';
import { KINDS, RECORD_KINDS, type RecordKind } from '../../kinds/lists.ts';
import { object, STAMPS, string } from './output.ts';

/** The members that are shown: of a secret only whether there is one. */
export function shownMembers(kind: RecordKind, fields: Fields = FIELDS[kind]): Record<string, JsonSchema> {
  const { properties } = outputSchema(fields) as { properties: Record<string, JsonSchema> };
  const { sealed } = KINDS[kind];
  if (!sealed) return properties;
  const { [sealed.member]: _, ...shown } = properties;
  return { ...shown, [`has_${sealed.member}`]: { type: 'boolean' } };
}

const OWN: readonly RecordKind[] = ['agent', 'recording', 'timegroup', 'trunk', 'webhook'];

const schemaOf = (kind: RecordKind): JsonSchema =>
  object({ id: kind === 'team' ? { type: 'integer' } : string, ...shownMembers(kind), ...STAMPS });

export const KIND_SCHEMAS: Record<string, JsonSchema> = Object.fromEntries(
  RECORD_KINDS.filter((kind) => !OWN.includes(kind)).map((kind) => [KINDS[kind].schema, schemaOf(kind)]),
);
