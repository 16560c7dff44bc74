// docs/roles.md, made from the table of roles and the route table.
import { mayDo, OPERATION_RIGHTS, RIGHTS, type Right, ROLES, rightOf } from '../domain/roles.ts';
import type { Route } from './route.ts';

const HEAD = `# What each role may do

Made from \`src/domain/roles.ts\` by \`npm run roles\`: do not edit.

Every person who uses an account is a user with one role. The service enforces this table for the API and the console alike, in one
place, and a test asks for every operation with every role. What a role may not do, the console does not offer.

| role | for |
|---|---|
| owner | whoever answers for the account; there is always one, and only an owner makes owners and administrators |
| administrator | runs the service: trunks, webhooks, settings, users below the own role, audit |
| supervisor | leads the people who answer: live calls, recordings, messages, pauses, blocked callers |
| editor | builds the call flow: menus, hours, departments, agents, numbers |
| agent | answers calls: sees colleagues, and the state, calls and messages of the agent that the user is, at [the desk](desk.md) |
| viewer | looks, and changes nothing; hears no recordings, sees no PINs of conference rooms |

Tokens that a user makes belong to that user: they may do what their scopes *and* the role allow, and end with the user. Tokens of the
account as a whole (the first start's, and those of \`dialtree token create\`) have no role: [scopes](tokens.md) alone bound them.

\`GET /v1/settings\` shows who gets reports and notifications by mail to owners and administrators alone; for other roles these lists
are empty.

`;

const yes = (is: boolean): string => (is ? '●' : '');

function rightRows(): string {
  const rows = (Object.keys(RIGHTS) as Right[])
    .filter((right) => right !== 'open')
    .map((right) => {
      const { meaning, roles }: { meaning: string; roles: readonly string[] } = RIGHTS[right];
      return `| ${right}: ${meaning} | ${ROLES.map((role) => yes(roles.includes(role))).join(' | ')} |`;
    });
  return [
    '## In groups',
    '',
    `| | ${ROLES.join(' | ')} |`,
    `|---|${ROLES.map(() => ':-:|').join('')}`,
    ...rows,
  ].join('\n');
}

export function rolesDocument(routes: readonly Route[]): string {
  const shown = routes.filter(({ unlisted, open, id }) => !unlisted && !open && id in OPERATION_RIGHTS);
  const rows = shown.map(({ id, method, path }) => {
    const cells = ROLES.map((role) => {
      if (!mayDo(role, id)) return '';
      return role === 'agent' && rightOf(id) === 'own' ? 'own' : '●';
    });
    return `| \`${method} ${path}\` | ${rightOf(id)} | ${cells.join(' | ')} |`;
  });
  const head = [
    `| operation | group | ${ROLES.join(' | ')} |`,
    `|---|---|${ROLES.map(() => ':-:|').join('')}`,
  ];
  const all = [
    '## Every operation',
    '',
    '`own`: for the agent that the user is, and no other.',
    '',
    ...head,
    ...rows,
  ];
  return `${HEAD}${rightRows()}\n\n${all.join('\n')}\n`;
}
