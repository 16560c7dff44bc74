// Adds the checksums of new migrations to src/storage/migrations/sealed.txt: `npm run migrations:seal`, by tsx.
import { appendFileSync, readFileSync } from 'node:fs';
import { MIGRATIONS } from '../src/storage/migrations/migrations.ts';
import { newSeals } from '../src/storage/migrations/sealed.ts';

const file = new URL('../src/storage/migrations/sealed.txt', import.meta.url);
for (const line of newSeals(readFileSync(file, 'utf8'), MIGRATIONS)) {
  appendFileSync(file, `${line}\n`);
  console.log(line);
}
