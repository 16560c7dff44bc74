// What phones subscribe to: the state that the service has, as the body of a NOTIFY.
import { eventOf } from '../../../sip/events/notifier.ts';
import type { Watch } from '../../../sip/events/subscription.ts';
import type { SipRequest } from '../../../sip/message.ts';
import type { Reply } from '../../../sip/transactions/transactions.ts';
import { parseUri } from '../../../sip/uri.ts';
import type { WatchedEvent, WatchedState } from '../../ports/watching.ts';
import type { TelephonyUser } from '../../telephony.ts';
import { dialogInfo } from './dialog-info.ts';
import { messageSummary } from './message-summary.ts';
import { presence } from './presence.ts';

const TYPES: Readonly<Record<WatchedEvent, string>> = {
  dialog: 'application/dialog-info+xml',
  'message-summary': 'application/simple-message-summary',
  presence: 'application/pidf+xml',
};

export const EVENTS: ReadonlyMap<string, string> = new Map(Object.entries(TYPES));

const isEvent = (event: string): event is WatchedEvent => Object.hasOwn(TYPES, event);

/** A phone that is not registered gets no NOTIFY: whoever holds its place by now must not learn who talks to whom. */
const NOT_REGISTERED: Reply = {
  status: 480,
  reason: 'Not registered',
  headers: [['retry-after', '5']],
};

export function openWatch(
  user: Pick<TelephonyUser, 'watch'>,
  phone: string,
  request: SipRequest,
  isRegistered: () => boolean,
  changed: () => void,
): Watch | Reply {
  const event = eventOf(request);
  const uri = parseUri(request.uri);
  if (!isEvent(event) || uri === null) return { status: 489 };
  if (!isRegistered()) return NOT_REGISTERED;
  const watch = user.watch?.(phone, event, uri.user, changed) ?? { status: 489 };
  if ('status' in watch) return { status: watch.status };
  // The entity is what was subscribed to (RFC 4235 §4.1.1): phones find the lamp by it.
  const entity = `sip:${encodeURIComponent(uri.user)}@${uri.host}`;
  return {
    id: phone,
    group: watch.account,
    contentType: TYPES[event],
    body: (version) => {
      const state = watch.state();
      return state && Buffer.from(bodyOf(state, entity, version));
    },
    isAllowed: isRegistered,
    close: () => watch.close(),
  };
}

function bodyOf(state: WatchedState, entity: string, version: number): string {
  switch (state.event) {
    case 'dialog':
      return dialogInfo(state.dialogs, entity, version);
    case 'message-summary':
      return messageSummary(state);
    case 'presence':
      return presence(state, entity);
    default:
      return state satisfies never;
  }
}
