// The listener before the owner has set one, and after the end.
import type { SessionEvents } from '../session.ts';

/** Offers are refused, so that the peer is not left waiting. */
export const SILENT: SessionEvents = {
  progressed() {},
  answered() {},
  confirmed() {},
  offered(_offer, answer) {
    answer(null);
  },
  informed() {},
  referred(_to, _replaces, accept) {
    accept(603);
  },
  ended() {},
};
