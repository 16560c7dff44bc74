// Which dialled numbers a list shows.

import { optional } from '../../kinds/field.ts';
import { DESTINATION_KINDS } from '../../kinds/lists.ts';
import { destination } from '../../kinds/reference-fields.ts';

export const NUMBERS_QUERY = { destination: optional(destination(DESTINATION_KINDS), null) } as const;
