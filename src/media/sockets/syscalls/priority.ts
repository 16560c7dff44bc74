// Real-time scheduling of a media worker: the system runs it as soon as it is due, so that packets leave on time on a loaded machine,
// too. Linux limits real-time threads to 95 % of the time, so that other threads do not starve.
import { loadLibc } from './libc.ts';

const SCHED_RR = 2;
const EPERM = 1;
/** The lowest real-time priority is above every other thread. */
const LOWEST = 1;

/** For the calling thread. Null: done; else why not, and what to do. */
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
