// Before all others: a media worker that the system runs as soon as it is due, whatever else wants the core. Packets leave on time
// then also on a machine that is full. Linux runs such threads for at most 95 % of the time, so that nobody else starves.
import { loadLibc } from './libc.ts';

const SCHED_RR = 2;
/** The lowest of real time is above everything that is not. */
const LOWEST = 1;

/** Of the calling thread. Null: done; else why not, and what to do. */
export async function askForRealTime(): Promise<string | null> {
  try {
    const libc = await loadLibc();
    const parameters = new Uint8Array(new Int32Array([LOWEST]).buffer);
    if (libc.setScheduler(0, SCHED_RR, libc.addressOf(parameters)) === 0) return null;
    return `sched_setscheduler failed, errno ${libc.errno()}: allow it by CAP_SYS_NICE, in systemd by LimitRTPRIO=1`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
