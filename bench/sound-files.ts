// How fast sound files become recordings: each file several times, in one process.
// Run by `npx tsx bench/sound-files.ts <file> …`; processor time, so that other work on the machine matters little.
import { loadavg } from 'node:os';
import { convertFile } from '../src/recordings/convert/convert.ts';

const ROUNDS = 4;

for (const path of process.argv.slice(2)) {
  let best = Number.POSITIVE_INFINITY;
  let seconds = 0;
  let format = '';
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const outcome = await convertFile(path);
    const { user, system } = process.cpuUsage(before);
    if ('refused' in outcome) throw new Error(outcome.message);
    best = Math.min(best, (user + system) / 1e6);
    seconds = outcome.durationMs / 1000;
    format = outcome.format;
  }
  const memory = Math.round(process.memoryUsage.rss() / 1024 / 1024);
  const times = Math.round(seconds / best);
  console.log(
    `${path}: ${format}, ${seconds.toFixed(1)} s in ${best.toFixed(2)} s, ${times} times real time, ${memory} MB resident`,
  );
}
console.log(
  `load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);
