import { describe, expect, it } from 'vitest';
import { COLLECTIONS } from './records/collections.ts';
import { ROUTES } from './routes.ts';

describe('the route table', () => {
  it.each(Object.values(COLLECTIONS))('has the five rows of $kind', ({ path, listPath, key = 'id' }) => {
    const rows = new Set(ROUTES.map((route) => `${route.method} ${route.path}`));
    const one = `${path}/{${key}}`;
    for (const row of [`GET ${listPath}`, `POST ${path}`, `GET ${one}`, `PUT ${one}`, `DELETE ${one}`])
      expect(rows).toContain(row);
  });
});
