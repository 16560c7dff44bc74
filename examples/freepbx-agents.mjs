// Reads the extensions that FreePBX's Bulk Handler exported (CSV) and prints "extension<TAB>name" for each: node freepbx-agents.mjs extensions.csv
import { readFileSync } from 'node:fs';

const [, , file] = process.argv;
if (!file) {
  console.error('usage: node freepbx-agents.mjs extensions.csv');
  process.exit(2);
}

/** RFC 4180: quoted cells may hold commas, line ends and doubled quotes. */
function rowsOf(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.some((cell) => cell !== ''));
}

const [head = [], ...rows] = rowsOf(readFileSync(file, 'utf8'));
const [extension, name] = ['extension', 'name'].map((column) => head.indexOf(column));
if (extension < 0 || name < 0) {
  console.error(`${file}: the first line must name the columns "extension" and "name".`);
  process.exit(1);
}
for (const row of rows) {
  const words = row[name]?.replace(/\s+/g, ' ').trim() || row[extension];
  console.log(`${row[extension]}\t${words}`);
}
