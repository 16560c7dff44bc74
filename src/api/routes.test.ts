import { describe, expect, it } from 'vitest';
import { KINDS, pathKey } from '../kinds/lists.ts';
import { ROUTES } from './routes.ts';

describe('the route table', () => {
  it.each(Object.values(KINDS))('has the five rows of $kind', ({ kind, path, listPath }) => {
    const rows = new Set(ROUTES.map((route) => `${route.method} ${route.path}`));
    const one = `${path}/{${pathKey(kind)}}`;
    for (const row of [`GET ${listPath}`, `POST ${path}`, `GET ${one}`, `PUT ${one}`, `DELETE ${one}`])
      expect(rows).toContain(row);
  });
});
