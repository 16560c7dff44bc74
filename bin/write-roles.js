// Writes docs/roles.md from the table in src/domain/roles.ts: `npm run roles`, by tsx. A test compares the two.
import { writeFileSync } from 'node:fs';
import { rolesDocument } from '../src/api/roles-document.ts';
import { ROUTES } from '../src/api/routes.ts';

writeFileSync(new URL('../docs/roles.md', import.meta.url), rolesDocument(ROUTES));
