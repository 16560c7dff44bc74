// Teams, which agents are sorted by.

import { NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { KINDS } from './kinds.ts';

export const teamRecord = defineRecord(KINDS.team, {
  fields: { name: NAME },
  unique: (id: string) => [{ name: 'id', value: id }],
  lasting: ['id'],
});

export type Team = DataOf<typeof teamRecord>;
