// One dialog of the phone (RFC 3261 §12): tags, targets, routes and the count of requests.
import { randomBytes } from 'node:crypto';
import type { CallingPhone } from './phone-options.ts';
import { addressOf, type Headers, header, parameter, type SipText, uriIn, values } from './sip-text.ts';
import type { Outgoing } from './transactions.ts';
import type { Peer } from './wire.ts';

export class Dialog {
  readonly callId: string;
  readonly localTag = randomBytes(6).toString('hex');
  remoteTag: string | null = null;
  cseq = 1;
  readonly #phone: CallingPhone;
  readonly #localUri: string;
  readonly #remoteUri: string;
  #target: string;
  #routes: readonly string[] = [];
  /** Where the first request goes or came from, while there is no target yet. */
  readonly #peer: Peer;

  constructor(phone: CallingPhone, callId: string, localUri: string, remoteUri: string, peer: Peer) {
    this.#phone = phone;
    this.callId = callId;
    this.#localUri = localUri;
    this.#remoteUri = remoteUri;
    this.#target = remoteUri;
    this.#peer = peer;
  }

  /** The dialog that an INVITE makes for the one who is called. */
  static called(phone: CallingPhone, invite: SipText, from: Peer): Dialog {
    const dialog = new Dialog(
      phone,
      header(invite, 'call-id'),
      uriIn(header(invite, 'to')),
      uriIn(header(invite, 'from')),
      from,
    );
    dialog.remoteTag = parameter(header(invite, 'from'), 'tag');
    dialog.#routes = values(invite, 'record-route');
    dialog.refreshTarget(invite);
    return dialog;
  }

  /** Establishes the dialog of the caller, by a 1xx with a tag or a 2xx. Routes come in reverse. */
  established(response: SipText): void {
    this.remoteTag = parameter(header(response, 'to'), 'tag');
    this.#routes = values(response, 'record-route').reverse();
    this.refreshTarget(response);
  }

  refreshTarget(message: SipText): void {
    const contact = header(message, 'contact');
    if (contact !== '') this.#target = uriIn(contact);
  }

  get local(): string {
    return `<${this.#localUri}>;tag=${this.localTag}`;
  }

  get remote(): string {
    return `<${this.#remoteUri}>${this.remoteTag === null ? '' : `;tag=${this.remoteTag}`}`;
  }

  /** A request within the dialog; `cseq` of another one for ACK and CANCEL. */
  build(method: string, headers: Headers = [], body = '', cseq?: number): Outgoing {
    if (cseq === undefined) this.cseq += 1;
    const next = this.remoteTag === null ? this.#peer : addressOf(uriIn(this.#routes[0] ?? this.#target));
    return {
      method,
      uri: this.#target,
      to: next,
      headers: [
        ...this.#routes.map((route) => ['Route', route] as const),
        ['Max-Forwards', '70'],
        ['From', this.local],
        ['To', this.remote],
        ['Call-ID', this.callId],
        ['CSeq', `${cseq ?? this.cseq} ${method}`],
        ['Contact', this.#phone.contact],
        ...headers,
      ],
      body,
    };
  }

  /** Sends it and, when asked for, once more with the password. */
  async request(method: string, headers: Headers = [], body = ''): Promise<SipText> {
    const first = this.build(method, headers, body);
    const response = await this.#phone.transactions.request(first);
    const credentials = this.#phone.credentials(response, method, first.uri);
    if (credentials === null) return response;
    return this.#phone.transactions.request(this.build(method, [...headers, credentials], body));
  }
}
