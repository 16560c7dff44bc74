// What a test measured, for docs/reliability.md: printed, and appended to the file that `npm run reliability` names.
import { appendFileSync } from 'node:fs';

/** `row` is a number of docs/threat-model.md, such as T37. */
export function figure(row: string, text: string): void {
  console.log(`${row}: ${text}`);
  const file = process.env['DIALTREE_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify({ row, text })}\n`);
}
