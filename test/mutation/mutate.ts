// Mutation testing: do the tests notice a fault? Changes one operator, condition, constant or statement at a time in a copy of the
// repository and runs the tests; a mutant that no test notices survives, and is printed.
//
//   npm run test:mutation -- src/flow                    every mutant of a folder, against the tests of its area (src/flow)
//   npm run test:mutation -- src/sip/digest.ts src/sms   files and folders
//   MUTANTS=36 SEED=1 …       a random choice of 36, the same for the same seed
//   TESTS='src/api test/api'  the test files by their paths, instead of those of the areas
//   SLOW_MS=300               a test that takes more processor time is left out: repeated a thousand times it would cost hours
//   ONE_BY_ONE=0              leaves out what runs while modules load, which costs a run of all tests for each mutant
//   RESULTS=file              writes the mutants that are open or were left out, as JSON
//   ONLY_OPEN=file            judges only those of such a file that exist and are not explained: after new tests, minutes instead of an hour
//   ISOLATE=1                 a fresh worker thread for each test file: slower, for tests that need it
//
// A survivor that does not compile is none. One that cannot change what the program does is listed in equivalents.json: file, line,
// change, reason. Exit status 1: a survivor is not listed; or, where all mutants ran, a listed one is killed or gone. Code that tests run from dist/ (worker threads) is not mutated.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Copy, listFiles, root } from './copy.ts';
import { listMutants, type Mutant } from './mutants.ts';

type Named = Pick<Mutant, 'file' | 'line' | 'change'>;

interface Equivalent extends Named {
  readonly reason: string;
}

/** The tests of an area, where they are not all of its folder or stand outside of it. */
const TESTS_OF: Readonly<Record<string, readonly string[]>> = {
  'src/flow': [
    'src/flow',
    'test/lint-docs.test.ts',
    'test/call-flow-docs.test.ts',
    'console/src/pages/simulator',
  ],
  'src/calls': ['src/calls', 'test/call-flow-docs.test.ts'],
  'src/sip': ['src/sip', 'test/sip'],
  // SQLite in the thread of the test: behind a worker thread, or on PostgreSQL, the contract cannot be repeated test by test.
  'src/storage': ['src/storage/sqlite/one-thread', 'src/storage/group', 'src/storage/pipeline'],
};

const equivalents: readonly Equivalent[] = JSON.parse(
  readFileSync(new URL('./equivalents.json', import.meta.url), 'utf8'),
);
const explanations = new Map(equivalents.map((entry) => [nameOf(entry), entry]));
const count = Number(process.env['MUTANTS'] ?? Number.POSITIVE_INFINITY);
const slowMs = Number(process.env['SLOW_MS'] ?? 300);
const targets = process.argv.slice(2).map((path) => relative(root, path));
const areas = new Set(targets.map((path) => path.split('/').slice(0, 2).join('/')));
const tests = process.env['TESTS']?.split(' ') ?? [...areas].flatMap((area) => TESTS_OF[area] ?? [area]);

const files = listFiles(targets).filter(
  (file) => file.endsWith('.ts') && !/\.(test|contract|d)\.ts$|\/testing\//.test(file),
);
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const all = [...sources].flatMap(([file, source]) => listMutants(file, source));
const sample = all.length <= count ? all : shuffled(all, Number(process.env['SEED'] ?? 1)).slice(0, count);
const openFile = process.env['ONLY_OPEN'];
const formerlyOpen = openFile === undefined ? undefined : new Set<string>(readNames(openFile).map(nameOf));
const isOpen = (mutant: Mutant) => formerlyOpen?.has(nameOf(mutant)) === true && !equivalentOf(mutant);
const chosen = formerlyOpen ? all.filter(isOpen) : sample;
if (chosen.length === 0) throw new Error('No mutants: name files or folders of src/.');
console.log(
  `${chosen.length} of ${all.length} mutants of ${files.length} files, tests of ${tests.join(' ')}`,
);

// What tests start as a worker thread or a process.
execFileSync(process.execPath, [join(root, 'bin/build.js')], { stdio: 'inherit' });
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const copy = new Copy(sources, tests, slowMs);
process.once('exit', () => copy.remove());
const leftOut = new Set<Mutant>();
/** With a remark. */
const survivors = new Map<Mutant, string>();
const single = await judgeTogether(new Map(chosen.map((mutant, index) => [index + 1, mutant])));
const refused = await copy.refusedByCompiler(
  [...survivors.keys(), ...single].filter((mutant) => !equivalentOf(mutant)),
);
for (const mutant of refused) survivors.delete(mutant);
await judgeOneByOne(single.filter((mutant) => !refused.has(mutant)));
process.exit(report());

/** Returns those that are still to be judged. */
async function judgeTogether(mutants: ReadonlyMap<number, Mutant>): Promise<readonly Mutant[]> {
  const { killed, unsure, reached, slowTests } = await copy.repeat(mutants);
  for (const name of slowTests) console.log(`left out, slower than ${slowMs} ms or failing: ${name}`);
  const rest: Mutant[] = [];
  for (const [id, mutant] of mutants)
    if (killed.has(id)) continue;
    else if (unsure.has(id)) rest.push(mutant);
    else survivors.set(mutant, reached.has(id) ? '' : ', not reached by any test');
  console.log(`${killed.size} killed by repeated tests`);
  return rest;
}

async function judgeOneByOne(mutants: readonly Mutant[]): Promise<void> {
  console.log(`${mutants.length} are to run one by one`);
  if (process.env['ONE_BY_ONE'] === '0') {
    for (const mutant of mutants) leftOut.add(mutant);
    return;
  }
  for (const [index, mutant] of mutants.entries()) {
    if ((await copy.judge(mutant)) === 'survived') {
      survivors.set(mutant, '');
      console.log(`  survived: ${mutant.file}:${mutant.lineNumber} ${mutant.change}`);
    }
    if (index % 50 === 49) console.log(`${index + 1} of ${mutants.length}`);
  }
}

function nameOf({ file, line, change }: Named): string {
  return JSON.stringify([file, line, change]);
}

function readNames(path: string): readonly Named[] {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function equivalentOf(mutant: Mutant): Equivalent | undefined {
  return explanations.get(nameOf(mutant));
}

function report(): number {
  const open = [...survivors].filter(([mutant]) => !equivalentOf(mutant));
  const explained = new Set([...survivors.keys()].map(equivalentOf));
  const stale = equivalents.filter((entry) => sources.has(entry.file) && !explained.has(entry));
  const gone = chosen.length === all.length && leftOut.size === 0 ? stale : [];
  console.log(
    `${chosen.length} mutants: ${chosen.length - survivors.size - refused.size - leftOut.size} killed, ${leftOut.size} left out, ` +
      `${refused.size} refused by the compiler, ${survivors.size - open.length} equivalent, ${open.length} survived`,
  );
  const results = process.env['RESULTS'];
  if (results !== undefined) {
    const names = [
      ...open.map(([mutant]) => mutant),
      ...[...leftOut].filter((mutant) => !equivalentOf(mutant)),
    ];
    writeFileSync(results, JSON.stringify(names, ['file', 'line', 'change'], 2));
  }
  for (const [{ file, lineNumber, line, change }, remark] of open)
    console.log(
      `SURVIVED${remark} ${file}:${lineNumber}\n  ${JSON.stringify({ file, line, change, reason: '' })}`,
    );
  for (const { file, line, change } of gone)
    console.log(`equivalents.json lists one that is killed or gone: ${file}: ${line}: ${change}`);
  return open.length + gone.length > 0 ? 1 : 0;
}

/** The same order for the same seed on every machine: Mulberry32. */
function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const rest = [...list];
  const picked: T[] = [];
  for (let state = seed | 0; rest.length > 0; ) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    picked.push(...rest.splice(((mixed ^ (mixed >>> 14)) >>> 0) % rest.length, 1));
  }
  return picked;
}
