// A dialog as plain data, with which another node goes on after the death of its own. Secrets are not in it: requests inside a dialog
// never answer a challenge.
import type { Ladder } from '../ladder.ts';
import type { NameAddr } from '../message.ts';
import { formatNameAddr, parseNameAddr } from '../name-addr.ts';
import type { StoredDialog } from '../session.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { contactUri } from './capabilities.ts';
import type { DialogCore } from './core.ts';
import { Dialog, type Party } from './dialog.ts';

/** Requests that the former node sent since the dialog was stored have lower numbers (RFC 3261 §12.2.2). */
export const CSEQ_JUMP = 1_000;

/** Null if only the node that it began at can reach the peer, since no proxy is in between. */
export function storedDialog(dialog: Dialog): StoredDialog | null {
  const { callId, local, remote, routeSet, remoteTarget, localSeq, remoteSeq, ownsCallId, flow } = dialog;
  if (routeSet.length === 0) return null;
  const { protocol, peer, remote: hop } = flow;
  // A browser is reached by its own connection alone.
  if (protocol === 'ws') return null;
  return {
    callId,
    local: local.text,
    remote: remote.text,
    routes: routeSet.map(formatNameAddr),
    target: remoteTarget,
    localSeq,
    remoteSeq,
    ownsCallId,
    protocol,
    hop,
    ...(peer ? { peer } : {}),
  };
}

/** Null if it cannot be read. `flow`: to its hop. */
export function restoredDialog(
  core: DialogCore,
  stored: StoredDialog,
  flow: TransportFlow,
  ladder?: Ladder,
): Dialog | null {
  const { callId, target: remoteTarget, localSeq, remoteSeq, ownsCallId } = stored;
  const local = partyOf(stored.local);
  const remote = partyOf(stored.remote);
  const routeSet = stored.routes.map(parseNameAddr).filter((each): each is NameAddr => each !== null);
  if (!local || local.tag === '' || !remote || routeSet.length !== stored.routes.length) return null;
  return new Dialog(core, {
    callId,
    local,
    remote,
    routeSet,
    remoteTarget,
    localSeq: localSeq + CSEQ_JUMP,
    remoteSeq,
    flow,
    // By the same proxy as before, whatever else a name leads to now.
    sticky: true,
    ownsCallId,
    contact: contactUri(core.transports, flow, '', remoteTarget.startsWith('sips:')),
    ladder,
  });
}

function partyOf(text: string): Party | null {
  const address = parseNameAddr(text);
  return address && { text, address, tag: address.params.get('tag') ?? '' };
}
