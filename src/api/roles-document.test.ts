import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATION_RIGHTS } from '../domain/roles.ts';
import { rolesDocument } from './roles-document.ts';
import { ROUTES } from './routes.ts';

test('the table of roles has the operations of the route table and no others', () => {
  const operations = ROUTES.map(({ id }) => id.replace(/AtFormerPath$/, ''));
  expect(Object.keys(OPERATION_RIGHTS).sort()).toEqual([...new Set(operations)].sort());
});

test('an operation is open in the table of roles exactly where its route needs no token', () => {
  for (const { id, open } of ROUTES)
    expect(
      OPERATION_RIGHTS[id.replace(/AtFormerPath$/, '') as keyof typeof OPERATION_RIGHTS] === 'open',
      id,
    ).toBe(open === true);
});

test('docs/roles.md is made from the table: run `npm run roles`', () => {
  const document = readFileSync(new URL('../../docs/roles.md', import.meta.url), 'utf8');
  expect(document).toBe(rolesDocument(ROUTES));
});
