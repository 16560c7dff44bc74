// The machine: Node, its clock, and how many files may be open.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
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

export function checkClock(nowMs = Date.now()): Finding {
  const year = new Date(nowMs).getUTCFullYear();
  const time = new Date(nowMs).toISOString();
  if (year < EARLIEST_YEAR || year > LATEST_YEAR)
    return fail('clock', `It shows ${time}. Set it, or let NTP do it: opening hours go by it.`);
  if (!knowsZones())
    return fail(
      'clock',
      'This Node has no time zones, so opening hours cannot be kept. Install a Node with full Intl data.',
    );
  const gapMs = fileClockGapMs();
  if (gapMs !== null && gapMs > MAX_CLOCK_GAP_MS)
    return warn(
      'clock',
      `The clock and that of the file system are ${gapMs} ms apart. Let NTP set the clock.`,
    );
  return ok('clock', `${time}, with time zones`);
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

/** Null: nothing can be written there, which is not this check's business. */
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
  );
}

/** As Node found it at its start, after raising the soft limit to the hard one. */
function openFileLimit(): number | null {
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
