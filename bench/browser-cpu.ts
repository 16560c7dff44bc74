// How much of the processor the browser has used, which other programs on the machine do not change.
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly parent: number;
  readonly isBrowser: boolean;
  readonly cpuMs: number;
}

/** What Linux counts processor time in; so it is on every machine that runs these tests. */
const TICK_MS = 10;

function read(id: string): Process | null {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    const [name, rest] = [text.slice(text.indexOf('(') + 1), text.slice(text.lastIndexOf(')') + 2)];
    // proc(5): state, parent, …; user and system time are the 12th and 13th after the name.
    const fields = rest.split(' ').map(Number);
    const ticks = (fields[11] ?? 0) + (fields[12] ?? 0);
    return { parent: fields[1] ?? 0, isBrowser: name.startsWith('chrom'), cpuMs: ticks * TICK_MS };
  } catch {
    return null;
  }
}

/** In milliseconds, of all the processes of browsers that this one started; null where it cannot be told. */
export function browserCpuMs(): number | null {
  if (process.platform !== 'linux') return null;
  const all = new Map<number, Process>();
  for (const id of readdirSync('/proc')) {
    const found = /^\d+$/.test(id) ? read(id) : null;
    if (found) all.set(Number(id), found);
  }
  const isOurs = (id: number): boolean => {
    for (let at = id, steps = 0; at > 1 && steps < 20; at = all.get(at)?.parent ?? 0, steps += 1)
      if (at === process.pid) return true;
    return false;
  };
  let sum = 0;
  for (const [id, { isBrowser, cpuMs }] of all) if (isBrowser && isOurs(id)) sum += cpuMs;
  return sum === 0 ? null : sum;
}
