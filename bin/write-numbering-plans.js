// Writes src/domain/numbering-plans.ts from the metadata of libphonenumber-js, a development package: of its 83 kB, what
// domain/numbering.ts needs. `node bin/write-numbering-plans.js`; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getExampleNumber } from 'libphonenumber-js/min';

const HEAD = `// Written by bin/write-numbering-plans.js from libphonenumber's metadata (Apache-2.0): do not edit.
// docs/decisions/0014-telephone-numbers.md says why the table is ours.

/**
 * Calling code; exit code (expression); national numbers (expression); trunk prefix; what is removed instead of it
 * (expression), and its replacement; lengths of national numbers that are also written without the trunk prefix.
 */
export type PlanRow = readonly [string, string, string, string, string, string, readonly number[]];

`;

/** Fixed lines and mobiles of more lengths than these cannot be distinguished from local numbers. */
const MOST_LENGTHS = 3;

const require = createRequire(import.meta.url);
const read = (name) => JSON.parse(readFileSync(require.resolve(`libphonenumber-js/${name}.json`), 'utf8'));

export function numberingPlans() {
  const { countries, country_calling_codes: codes, nonGeographic } = read('metadata.min');
  const { countries: typed } = read('metadata.max');
  const examples = read('examples.mobile');
  const rows = Object.entries(countries).map(
    ([country, [code, exit, pattern, all, , trunk, , parsed, change]]) => {
      const written = getExampleNumber(country, examples)?.formatNational().replaceAll(/\D/g, '') ?? '';
      const lengths = bareLengths(typed[country], trunk ? [] : all);
      // Mobile numbers of some countries are never written with the trunk prefix.
      if (trunk && !written.startsWith(trunk) && !lengths.includes(written.length))
        lengths.push(written.length);
      return [country, [code, exit || '', pattern, trunk || '', parsed || '', change || '', lengths]];
    },
  );
  const shared = Object.keys(nonGeographic).map((code) => [code, '']);
  const main = [...Object.entries(codes).map(([code, [first]]) => [code, first]), ...shared];
  return { plans: Object.fromEntries(rows), main: Object.fromEntries(main) };
}

/** Indices of libphonenumber-js's metadata: 11 holds the types, of which 0 is fixed lines and 1 mobiles; 1 of a type is its lengths. */
function bareLengths(row, all) {
  const types = row[11] ?? [];
  const lengths = [types[0], types[1]].flatMap((type) => (type?.[0] ? (type[1] ?? row[3]) : []));
  const known = [...new Set(lengths.length > 0 ? lengths : all)].sort((a, b) => a - b);
  return all.length > 0 ? all : known.length <= MOST_LENGTHS ? known : [];
}

export function planFile() {
  const { plans, main } = numberingPlans();
  const lines = Object.entries(plans).map(([country, row]) => `  ${country}: ${JSON.stringify(row)},`);
  const mains = Object.entries(main).map(([code, country]) => `  '${code}': '${country}',`);
  return [
    HEAD,
    '// biome-ignore format: one line for each country\n',
    'export const NUMBERING_PLANS: Readonly<Record<string, PlanRow>> = {\n',
    lines.join('\n'),
    '\n};\n\n/** The country whose plan a calling code has; empty: none, such as a satellite network. */\n',
    '// biome-ignore format: a table\n',
    'export const MAIN_COUNTRIES: Readonly<Record<string, string>> = {\n',
    mains.join('\n'),
    '\n};\n',
  ].join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../src/domain/numbering-plans.ts', import.meta.url), planFile());
