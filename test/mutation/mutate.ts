// Mutation testing: do the tests notice a fault? Changes one operator, condition, constant or statement at a time in a copy of the
// repository and runs the tests; a mutant that no test notices survives, and is printed.
//
//   npm run test:mutation -- src/flow                    every mutant of a folder, against the tests of its area (src/flow)
//   npm run test:mutation -- src/sip/digest.ts src/sms   files and folders
//   MUTANTS=36 SEED=1 …       a random choice of 36, the same for the same seed
//   TESTS='src/api test/api'  the test files by their paths, instead of those of the areas
//   JOBS=2                    so many processes at once, each with a copy of its own
//   ISOLATE=1                 a fresh worker thread for each test file: slower, for tests that need it
//
// A survivor that cannot change what the program does is listed in equivalents.json: file, line, change, reason. Exit status 1:
// a survivor is not listed, or a listed one is killed or gone. Code that tests run from dist/ (worker threads) is not mutated.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Copy, listFiles, root } from './copy.ts';
import { listMutants, type Mutant } from './mutants.ts';

interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly change: string;
  readonly reason: string;
}

const count = Number(process.env['MUTANTS'] ?? Number.POSITIVE_INFINITY);
const seed = Number(process.env['SEED'] ?? 1);
const targets = process.argv.slice(2).map((path) => relative(root, path));
const areas = new Set(targets.map((path) => path.split('/').slice(0, 2).join('/')));
const tests = process.env['TESTS']?.split(' ') ?? [...areas];

const sources = listFiles(targets).filter(
  (file) => file.endsWith('.ts') && !/\.(test|contract|d)\.ts$|\/testing\//.test(file),
);
const mutants = sources.flatMap((file) => listMutants(file, readFileSync(join(root, file), 'utf8')));
const chosen = mutants.length <= count ? mutants : shuffled(mutants, seed).slice(0, count);
if (chosen.length === 0) throw new Error('No mutants: name files or folders of src/.');
console.log(
  `${chosen.length} of ${mutants.length} mutants of ${sources.length} files, tests of ${tests.join(' ')}`,
);

const survivors = new Set<Mutant>();
const queue = [...chosen].reverse();
const startedMs = Date.now();
let tried = 0;
let timeouts = 0;
await Promise.all(Array.from({ length: Number(process.env['JOBS'] ?? 1) }, work));
process.exitCode = report();

async function work(): Promise<void> {
  const copy = await Copy.make(tests);
  try {
    for (let mutant = queue.pop(); mutant; mutant = queue.pop()) {
      const verdict = await copy.judge(mutant);
      tried++;
      if (verdict === 'timeout') timeouts++;
      if (verdict === 'survived') {
        survivors.add(mutant);
        if (!equivalentOf(mutant))
          console.log(`\nSURVIVED ${where(mutant)}\n  ${mutant.line}\n  ${mutant.change}`);
      } else if (process.env['VERBOSE']) console.log(`${where(mutant)}: ${mutant.change}: ${verdict}`);
      if (tried % 50 === 0) progress();
    }
  } finally {
    copy.remove();
  }
}

function where({ file, lineNumber }: Mutant): string {
  return `${file}:${lineNumber}`;
}

function progress(): void {
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  console.log(`${tried}/${chosen.length} in ${seconds} s, ${survivors.size} survived`);
}

function known(): readonly Equivalent[] {
  return JSON.parse(readFileSync(new URL('./equivalents.json', import.meta.url), 'utf8'));
}

function equivalentOf(mutant: Mutant): Equivalent | undefined {
  return known().find(
    ({ file, line, change }) => file === mutant.file && line === mutant.line && change === mutant.change,
  );
}

function report(): number {
  progress();
  const explained = new Set([...survivors].map(equivalentOf));
  const open = [...survivors].filter((mutant) => !equivalentOf(mutant));
  const stale =
    chosen.length < mutants.length
      ? []
      : known().filter((entry) => sources.includes(entry.file) && !explained.has(entry));
  console.log(
    `\n${tried} mutants: ${tried - survivors.size} killed (${timeouts} by the time limit), ` +
      `${survivors.size - open.length} equivalent, ${open.length} survived`,
  );
  for (const { file, line, change } of open) console.log(JSON.stringify({ file, line, change, reason: '' }));
  for (const { file, line, change } of stale)
    console.log(`equivalents.json lists one that is killed or gone: ${file}: ${line}: ${change}`);
  return open.length + stale.length > 0 ? 1 : 0;
}

/** Mulberry32 and Fisher-Yates: the same order for the same seed on every machine. */
function shuffled<T>(list: readonly T[], start: number): readonly T[] {
  const copy = [...list];
  let state = start;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  const picked: T[] = [];
  while (copy.length > 0) picked.push(...copy.splice(below(copy.length), 1));
  return picked;
}
