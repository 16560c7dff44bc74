// Which departments a list shows.
import { eid } from '../../kinds/common-fields.ts';
import { optional } from '../../kinds/field.ts';

/** Which departments a list shows: those that have the agent. */
export const DEPARTMENTS_QUERY = { agent: optional(eid, null) } as const;
