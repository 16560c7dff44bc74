// The machine: Node, its clock, and how many files may be open.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const OLDEST_NODE = [20, 19] as const;
/** No clock that is right shows an earlier year than this program was written in. */
const EARLIEST_YEAR = 2025;
const LATEST_YEAR = 2100;
const MAX_CLOCK_GAP_MS = 2_000;
/** RTP and RTCP. */
const FILES_PER_SIDE = 2;
const FILES_BESIDE = 500;

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  return isOld
    ? fail('Node', `Version ${version} is too old. Install Node ${OLDEST_NODE.join('.')} or later.`)
    : ok('Node', `Version ${version} on ${process.platform} ${process.arch}`);
}

/** `jump`: the last one that ClockWatch saw; null: none of late. */
export function checkClock(nowMs = Date.now(), jump: ClockJump | null = null): Finding {
  const year = new Date(nowMs).getUTCFullYear();
  const time = new Date(nowMs).toISOString();
  if (year < EARLIEST_YEAR || year > LATEST_YEAR)
    return fail('clock', `It shows ${time}. Set it, or let NTP do it: opening hours go by it.`, {
      code: 'clock-wrong',
      values: { date: time },
    });
  if (!knowsZones())
    return fail(
      'clock',
      'This Node has no time zones, so opening hours cannot be kept. Install a Node with full Intl data.',
      { code: 'clock-without-zones' },
    );
  if (jump) return jumped(jump);
  const gapMs = fileClockGapMs();
  if (gapMs !== null && gapMs > MAX_CLOCK_GAP_MS)
    return warn(
      'clock',
      `The clock and that of the file system are ${gapMs} ms apart. Let NTP set the clock.`,
      { code: 'clock-apart', values: { seconds: String(Math.round(gapMs / 1000)) } },
    );
  return ok('clock', `${time}, with time zones`);
}

function jumped({ byMs, atMs }: ClockJump): Finding {
  const seconds = String(Math.round(byMs / 1000));
  const date = new Date(atMs).toISOString();
  return warn(
    'clock',
    `It was set by ${seconds} s, seen at ${date}: opening hours and reports go by it. Let NTP keep it.`,
    { code: 'clock-jumped', values: { seconds, date } },
  );
}

export interface ClockJump {
  /** Negative: it was set back. */
  readonly byMs: number;
  readonly atMs: number;
}

const JUMP_KEPT_MS = 3_600_000;

/** Holds the clock against one that nobody sets, from one look to the next. */
export class ClockWatch {
  #offsetMs: number | null = null;
  #jump: (ClockJump & { readonly seenMs: number }) | null = null;

  /** The last jump, for an hour. */
  look(nowMs = Date.now(), steadyMs = performance.now()): ClockJump | null {
    const offsetMs = nowMs - steadyMs;
    const byMs = offsetMs - (this.#offsetMs ?? offsetMs);
    this.#offsetMs = offsetMs;
    if (Math.abs(byMs) > MAX_CLOCK_GAP_MS) this.#jump = { byMs, atMs: nowMs, seenMs: steadyMs };
    if (this.#jump && steadyMs - this.#jump.seenMs > JUMP_KEPT_MS) this.#jump = null;
    return this.#jump;
  }
}

function knowsZones(): boolean {
  try {
    const format = new Intl.DateTimeFormat('en', {
      timeZone: 'Asia/Kolkata',
      hour: 'numeric',
      minute: 'numeric',
    });
    return format.format(0).startsWith('5:30');
  } catch {
    return false;
  }
}

/** Null if nothing can be written there, which is not this check's business. */
function fileClockGapMs(): number | null {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-doctor-'));
    try {
      const file = join(folder, 'clock');
      writeFileSync(file, '');
      return Math.round(Math.abs(Date.now() - statSync(file).mtimeMs));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    return null;
  }
}

export function checkOpenFiles({ maxCalls, rtpPorts, sip }: Config, limit = openFileLimit()): Finding {
  const check = 'open files';
  // A call has two sides when an agent is on it, and no side is without ports.
  const sides = sip ? Math.min(2 * maxCalls, Math.floor((rtpPorts.to - rtpPorts.from + 1) / 2)) : 0;
  const needed = FILES_BESIDE + sides * FILES_PER_SIDE;
  if (limit === null) return ok(check, 'This system names no limit');
  if (limit >= needed) return ok(check, `${limit} may be open, at most ${needed} are needed`);
  return warn(
    check,
    `${limit} may be open, but MAX_CALLS=${maxCalls} can need ${needed}. Raise the limit (ulimit -n ${needed}, or LimitNOFILE= of systemd), or lower MAX_CALLS.`,
    {
      code: 'open-files-few',
      values: { limit: String(limit), needed: String(needed), calls: String(maxCalls) },
    },
  );
}

/** As it is since Node's start, which raises the soft limit to the hard one. */
export function openFileLimit(): number | null {
  return limitOfProc() ?? limitOfReport();
}

/** Linux has it in a file; a report takes Node tens of milliseconds. */
function limitOfProc(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

function limitOfReport(): number | null {
  try {
    const { userLimits } = process.report.getReport() as {
      userLimits?: { open_files?: { soft?: number | string } };
    };
    const soft = userLimits?.open_files?.soft;
    return typeof soft === 'number' ? soft : null;
  } catch {
    return null;
  }
}
