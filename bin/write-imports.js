// Writes the table of imports in ARCHITECTURE.md from test/support/import-rules.ts: `npm run imports`, by tsx. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import { withImportTable } from '../test/support/import-rules.ts';

const document = new URL('../ARCHITECTURE.md', import.meta.url);
writeFileSync(document, withImportTable(readFileSync(document, 'utf8')));
