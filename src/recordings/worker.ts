// The thread that converts recordings: decoding takes seconds of processor time, and neither HTTP nor the sound of calls waits for
// it. It alone writes and removes the files of recordings, one job at a time, so that no file goes while it is made anew.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { SoundFacts } from '../kinds/recording.ts';
import { readWav, writeWav } from '../media/audio/wav.ts';
import { convertFile, type Refused } from './convert/convert.ts';
import { peaksOf } from './convert/waveform.ts';
import type { Job, Outcome, Results } from './jobs.ts';
import { partPath } from './receive.ts';

/** Less than those who move sound. Elsewhere than on Linux it would mean the whole process. */
const NICE = 10;

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
if (process.platform === 'linux') setPriority(0, NICE);

async function perform(job: Job): Promise<Results[Job['kind']]> {
  switch (job.kind) {
    case 'convert':
      return convert(job.path, job.folder);
    case 'peaks':
      return peaks(job.path, job.points);
    case 'discard':
      return discard(job.folder, job.names, job.untouchedSinceMs);
  }
}

async function convert(path: string, folder: string): Promise<SoundFacts | Refused> {
  const converted = await convertFile(path);
  if ('refused' in converted) return converted;
  const wav = writeWav(converted.ulaw);
  const sha256 = createHash('sha256').update(wav).digest('hex');
  keep(folder, sha256, wav);
  return {
    sha256,
    duration_ms: converted.durationMs,
    format: converted.format,
    peak_db: converted.peakDb,
    gain_db: converted.gainDb,
    clipped_samples: converted.clippedSamples,
    leading_silence_ms: converted.leadingSilenceMs,
    trailing_silence_ms: converted.trailingSilenceMs,
    damaged: converted.damaged,
  };
}

/** On the disk before anybody hears of it, and whole or not at all. */
function keep(folder: string, sha256: string, wav: Buffer): void {
  const file = join(folder, `${sha256}.wav`);
  if (existsSync(file)) {
    // Touched, so that a sweep leaves it to the record that is about to point to it.
    const now = new Date();
    utimesSync(file, now, now);
    return;
  }
  const part = partPath(folder);
  try {
    writeFileSync(part, wav, { mode: 0o600, flush: true });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  if (process.platform === 'win32') return;
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

function peaks(path: string, points: number): number[] | null {
  // Unlike existsSync, throws when the disk fails: only an absent file is absent.
  if (!statSync(path, { throwIfNoEntry: false })) return null;
  const ulaw = readWav(readFileSync(path));
  return 'fault' in ulaw ? null : peaksOf(ulaw, points);
}

function discard(folder: string, names: readonly string[], untouchedSinceMs: number): number {
  let gone = 0;
  for (const name of names) {
    const file = join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found || found.mtimeMs > untouchedSinceMs) continue;
    rmSync(file, { force: true });
    gone += 1;
  }
  return gone;
}

port.on('message', (job: Job) => {
  perform(job).then(
    (value) => port.postMessage({ value } satisfies Outcome),
    (error: NodeJS.ErrnoException) =>
      port.postMessage({ errno: error.code ?? '', message: error.message } satisfies Outcome),
  );
});
