// The IVR payload, with the id that a client may choose.

import { type Field, inputSchema } from '../../kinds/field.ts';
import { FIELDS } from '../../kinds/fields.ts';
import { tolerated } from '../../kinds/ivr.ts';
import { CHOSEN_ID } from '../../kinds/reference-fields.ts';

const { description: idForm = '' } = CHOSEN_ID.input as { readonly description?: string };
/** The specification does not know it, and tolerates what it does not know. */
export const NEW_IVR_ID = tolerated(CHOSEN_ID, idForm);

export const NEW_IVR_FIELDS = { id: NEW_IVR_ID, ...FIELDS.ivr } as const;

/** The whole payload as one field, for documentation; readKind('ivr', ) reads it. */
export const IVR_BODY: Field<unknown> = {
  input: inputSchema(FIELDS.ivr),
  output: inputSchema(FIELDS.ivr),
  read: (value) => value,
};
