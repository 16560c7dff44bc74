// Workbooks, each made in a thread of its own, one after the other.
import { Worker } from 'node:worker_threads';
import type { Sheet } from './sheet.ts';

/** 10,000 calls take some seconds. */
const WORKBOOK_MS = 30_000;
const HEAP_MB = 256;

let turn: Promise<unknown> = Promise.resolve();

/** Those who ask bound how many wait. Null: it took too long, or is not wanted any more. */
export function makeWorkbook(sheets: readonly Sheet[], unwanted: AbortSignal): Promise<Buffer | null> {
  const made = turn.then(() => (unwanted.aborted ? null : inThread(sheets)));
  turn = made.catch(() => undefined);
  return made;
}

/** A thread needs a bundled file of its own: beside the bundle, or in dist/ when the sources run (tests build it first). */
function spawn(sheets: readonly Sheet[]): Worker {
  const file = import.meta.url.endsWith('.ts') ? '../../dist/workbook-worker.js' : './workbook-worker.js';
  return new Worker(new URL(file, import.meta.url), {
    // Columns may have functions, which no message can carry.
    workerData: sheets.map(({ name, columns, rows }) => ({
      name,
      columns: columns.map(({ title, kind, width }) => ({ title, kind, width })),
      rows,
    })),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
}

async function inThread(sheets: readonly Sheet[]): Promise<Buffer | null> {
  const worker = spawn(sheets);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Buffer | null>((resolve, reject) => {
      timer = setTimeout(() => resolve(null), WORKBOOK_MS);
      worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes.buffer)));
      worker.once('error', reject);
      worker.once('exit', () => resolve(null));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
