// Teams, which agents are sorted by.
import { NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';

export const team = defineKind({
  kind: 'team',
  noun: 'team',
  nouns: 'teams',
  word: null,
  directory: 'teams',
  exported: 'teams',
  key: 'name',
  versioned: false,
  drafted: false,
  tested: false,
  assistants: true,
  schema: 'Team',
  plural: 'Teams',
  path: '/v1/team',
  listPath: '/v1/teams',
  see: 'directory',
  change: 'edit',
  sealed: null,
  fields: () => ({ name: NAME }),
  unique: (id: string) => [{ name: 'id', value: id }],
  lasting: ['id'],
});

export type Team = DataOf<typeof team>;
