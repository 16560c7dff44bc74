// Before all others: a media worker that the system runs as soon as it is due, whatever else wants the core. Packets leave on time
// then also on a machine that is full. Linux runs such threads for at most 95 % of the time, so that nobody else starves.
import { loadLibc } from './libc.ts';

const SCHED_RR = 2;
const EPERM = 1;
/** The lowest of real time is above everything that is not. */
const LOWEST = 1;

/** Of the calling thread. Null: done; else why not, and what to do. */
export async function askForRealTime(): Promise<string | null> {
  try {
    const { setScheduling, addressOf } = await loadLibc();
    if (setScheduling === null) return 'this system has no pthread_setschedparam';
    const parameters = new Uint8Array(new Int32Array([LOWEST]).buffer);
    const error = setScheduling(SCHED_RR, addressOf(parameters));
    if (error === EPERM) return 'the system does not permit it: give CAP_SYS_NICE, in systemd LimitRTPRIO=1';
    return error === 0 ? null : `pthread_setschedparam failed with error ${error}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
