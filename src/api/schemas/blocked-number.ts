// Which entries of the block list a list shows.
import { dialable } from '../../kinds/common-fields.ts';
import { optional } from '../../kinds/field.ts';

export const BLOCKED_NUMBER_QUERY = { dialled: optional(dialable, null) } as const;
