// Teams, which agents are sorted by.

import { NAME } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { KINDS } from './kinds.ts';

export const teamRecord = defineRecord(KINDS.team, {
  about: 'Groups of agents for lists and filters. A team routes no calls.',
  fields: { name: NAME },
  means: {
    id: 'The number of the team, which agents have as `team_id`.',
    name: 'The name of the team, as the console and agents show it.',
  },
  example: { name: 'Front desk' },
  unique: (id: string) => [{ name: 'id', value: id }],
  lasting: ['id'],
});

export type Team = DataOf<typeof teamRecord>;
