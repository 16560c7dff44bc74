// Set-up of every suite: a wait without a time-out of its own ends after this one. A machine that does much else besides is no failure;
// what never comes fails all the same. `expect.poll` has it of the configs (WAITS).
import { vi } from 'vitest';
import { WAIT_MS } from './wait-ms.ts';

const patient = <Options extends object>(options: number | Options = {} as Options) =>
  typeof options === 'number' ? options : { timeout: WAIT_MS, ...options };

// Files of one process share it.
if (!('isPatient' in vi.waitFor)) {
  const { waitFor, waitUntil } = vi;
  const patientWait: typeof vi.waitFor = (callback, options) => waitFor(callback, patient(options));
  vi.waitFor = Object.assign(patientWait, { isPatient: true });
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
}
