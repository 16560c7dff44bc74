// A thread that makes one workbook and ends: cells cost some 30 µs each, which must not delay the API.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Sheet } from './sheet.ts';
import { workbookOf } from './workbook.ts';

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
try {
  // Behind signalling and API when processors are scarce; on Linux a thread has its own priority.
  if (process.platform === 'linux') setPriority(10);
} catch {
  // Not allowed here: it works at the priority of the process.
}
const bytes = new Uint8Array(await workbookOf(workerData as readonly Sheet[]));
port.postMessage(bytes, [bytes.buffer]);
