// Writes docs/openapi.json, the checked-in copy of what GET /openapi.json answers: `npm run openapi`, by tsx.
import { mkdirSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';

const docs = new URL('../docs/', import.meta.url);
mkdirSync(docs, { recursive: true });
writeFileSync(new URL('openapi.json', docs), `${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`);
