// What may be asked of time groups, and what is shown of them.

import { type JsonSchema, optional } from '../../kinds/field.ts';
import { instant } from '../../kinds/moment.ts';
import { object, STAMPS, string } from './output.ts';
import { shownMembers } from './shown-kinds.ts';

export const TIME_GROUP_QUERY = {
  at: optional(instant('whether it is open then; without it, now'), null),
} as const;

const shownGroup = {
  id: string,
  ...shownMembers('timegroup'),
  open_now: { type: 'boolean' },
  exception_now: { type: ['string', 'null'], description: 'the exception that decides today' },
};

export const TIME_GROUP_SCHEMAS: Record<string, JsonSchema> = {
  TimeGroup: object({ ...shownGroup, ...STAMPS }),
  TimeGroupWithChange: object({
    ...shownGroup,
    next_change: { type: ['string', 'null'], format: 'date-time' },
    ...STAMPS,
  }),
};
