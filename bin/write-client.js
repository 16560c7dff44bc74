// Writes client/operations.ts from the OpenAPI document: the type of every body, query and answer, and the table of operations.
// `npm run openapi`, by tsx; a test holds the file against the document.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/api/openapi.ts';
import { ROUTES } from '../src/api/routes.ts';
import { clientSource } from './client-source.js';

const file = new URL('../client/operations.ts', import.meta.url);
writeFileSync(file, clientSource(openApiDocument(ROUTES)));
