// REFER (RFC 3515): the peer asks us to call a third party; NOTIFY reports the outcome.
import type { SipRequest } from '../message.ts';
import { listOf } from '../name-addr.ts';
import { reasonPhrase } from '../reason-phrases.ts';
import type { SessionEvents, TransferProgress } from '../session.ts';
import type { ServerTransaction } from '../transactions/transactions.ts';
import { parseUri } from '../uri.ts';
import { SERVER } from './capabilities.ts';
import type { Dialog } from './dialog.ts';

/** `dialog`: that of the call, or of a REFER that names it by Target-Dialog. */
export function receiveRefer(
  request: SipRequest,
  transaction: ServerTransaction,
  dialog: Dialog,
  events: SessionEvents,
): void {
  const toTag = dialog.local.tag;
  const targets = listOf(request, 'refer-to');
  const [target] = targets ?? [];
  // RFC 3515 §2.4.1: exactly one.
  if (target === undefined || targets?.length !== 1) {
    transaction.respond({ status: 400, reason: 'Refer-To', headers: [SERVER], toTag });
    return;
  }
  let answered = false;
  events.referred(target, replacesOf(target.uri), (result) => {
    if (answered) return null;
    answered = true;
    if (result !== true) {
      transaction.respond({ status: result, headers: [SERVER], toTag });
      return null;
    }
    transaction.respond({ status: 202, headers: [['contact', `<${dialog.contact}>`], SERVER], toTag });
    const progress = new Notifier(dialog, request.cseq.number);
    // RFC 3515 §2.4.4: the first NOTIFY follows at once.
    progress.notify(100);
    return progress;
  });
}

/** The Replaces header that a Refer-To asks for (RFC 3891), unescaped; null: it asks for none. */
function replacesOf(uri: string): string | null {
  for (const header of (parseUri(uri)?.headers ?? '').split('&')) {
    const equals = header.indexOf('=');
    if (equals < 0 || header.slice(0, equals).toLowerCase() !== 'replaces') continue;
    try {
      return decodeURIComponent(header.slice(equals + 1));
    } catch {
      // Names no dialog; without it the REFER would mean a blind transfer.
      return '';
    }
  }
  return null;
}

const SUBSCRIPTION_S = 180;

class Notifier implements TransferProgress {
  readonly #dialog: Dialog;
  readonly #id: number;
  #over = false;

  constructor(dialog: Dialog, id: number) {
    this.#dialog = dialog;
    this.#id = id;
  }

  notify(status: number): void {
    if (this.#over) return;
    this.#over = status >= 200;
    const state = this.#over ? 'terminated;reason=noresource' : `active;expires=${SUBSCRIPTION_S}`;
    const draft = this.#dialog.draft(
      'NOTIFY',
      [
        ['event', `refer;id=${this.#id}`],
        ['subscription-state', state],
        ['content-type', 'message/sipfrag;version=2.0'],
      ],
      Buffer.from(`SIP/2.0 ${status} ${reasonPhrase(status)}\r\n`),
    );
    this.#dialog.request(draft, {
      responded: (response) => {
        // The peer dropped the subscription.
        if (response.status >= 300) this.#over = true;
      },
      failed: () => {
        this.#over = true;
      },
    });
  }
}
