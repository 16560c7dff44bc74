// The end of a call's SIP: its last request and response are often still under way when its legs end.
import type { Ladder } from '../../../sip/ladder.ts';

/** How long a call record waits for the last response of the peer. */
const LAST_MESSAGE_MS = 1000;

/** Waits until none of them expects a message, for a bounded time. */
export function lastMessages(ladders: readonly Ladder[]): Promise<void> {
  return new Promise((resolve) => {
    let left = ladders.length;
    const late = setTimeout(resolve, LAST_MESSAGE_MS);
    for (const ladder of ladders) {
      ladder.whenQuiet(() => {
        left--;
        if (left > 0) return;
        clearTimeout(late);
        resolve();
      });
    }
  });
}
