// A dialog (RFC 3261 §12): identities, CSeq order, route set and remote target. Offers and answers are the
// concern of sessions.
import type { Ladder } from '../ladder.ts';
import { headerOf, type NameAddr, NO_BODY, type SipRequest, type SipResponse } from '../message.ts';
import { formatNameAddr, listOf, withTag } from '../name-addr.ts';
import type { ClientEvents, ClientTransaction } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { parseUri } from '../uri.ts';
import { isNumeric, unbracketed } from './addresses.ts';
import { contactUri, type HeaderList, USER_AGENT } from './capabilities.ts';
import type { DialogCore, Draft } from './core.ts';
import { routesByEdge } from './edge-routes.ts';
import { NextHop } from './next-hop.ts';

export interface Party {
  /** The From or To header as it is written. */
  readonly text: string;
  readonly address: NameAddr;
  readonly tag: string;
}

interface Beginning {
  readonly callId: string;
  readonly local: Party;
  readonly remote: Party;
  readonly routeSet: readonly NameAddr[];
  readonly remoteTarget: string;
  readonly localSeq: number;
  readonly remoteSeq: number;
  readonly flow: TransportFlow;
  readonly sticky: boolean;
  readonly allows?: ((address: string) => boolean) | undefined;
  readonly registered?: (() => TransportFlow) | undefined;
  readonly ownsCallId: boolean;
  readonly contact: string;
  /** Where its messages are listed; of a call. */
  readonly ladder: Ladder | undefined;
}

/** What the dialog of an outgoing INVITE takes from its session. */
export interface OurSide {
  readonly contact: string;
  readonly sticky: boolean;
  /** Addresses that requests in the dialog may go to; without it all. */
  readonly allows: ((address: string) => boolean) | undefined;
  /** The flow by which the phone registered last. */
  readonly registered: (() => TransportFlow) | undefined;
  readonly ladder: Ladder;
}

export class Dialog {
  readonly callId: string;
  readonly local: Party;
  readonly remote: Party;
  /** Frozen with the dialog; only the remote target changes later. */
  readonly routeSet: readonly NameAddr[];
  /** Whether we made the Call-ID: decides who waits longer after a glare. */
  readonly ownsCallId: boolean;
  /** Our Contact, the URI alone. */
  readonly contact: string;
  readonly #core: DialogCore;
  readonly #hop: NextHop;
  readonly #ladder: Ladder | undefined;
  #remoteTarget: string;
  #localSeq: number;
  #remoteSeq: number;

  constructor(core: DialogCore, beginning: Beginning) {
    this.#core = core;
    this.callId = beginning.callId;
    this.local = beginning.local;
    this.remote = beginning.remote;
    this.routeSet = routesByEdge(beginning.routeSet, beginning.flow, beginning.allows);
    this.ownsCallId = beginning.ownsCallId;
    this.contact = beginning.contact;
    this.#ladder = beginning.ladder;
    this.#hop = new NextHop(core, beginning.flow, beginning.sticky, beginning.allows);
    if (beginning.registered) this.keepFlow(beginning.registered);
    this.#remoteTarget = beginning.remoteTarget;
    this.#localSeq = beginning.localSeq;
    this.#remoteSeq = beginning.remoteSeq;
  }

  get flow(): TransportFlow {
    return this.#hop.home;
  }

  get localSeq(): number {
    return this.#localSeq;
  }

  get remoteSeq(): number {
    return this.#remoteSeq;
  }

  get remoteTarget(): string {
    return this.#remoteTarget;
  }

  /** False for a request that comes too late: 500 (RFC 3261 §12.2.2). */
  acceptsSeq(number: number): boolean {
    if (number < this.#remoteSeq) return false;
    this.#remoteSeq = number;
    return true;
  }

  /** Only re-INVITE and UPDATE refresh the target, and only when they succeed (RFC 3261 §12.2). */
  refreshTarget(message: SipRequest | SipResponse): void {
    const target = contactOf(message);
    if (target !== '') this.#remoteTarget = target;
  }

  /** A phone whose connection or NAT binding changed is reached at its latest source. */
  followTo(flow: TransportFlow): void {
    this.#hop.followTo(flow);
  }

  /** The peer is a registered phone. Where proxies recorded their route, that leads to it. */
  keepFlow(registered: (() => TransportFlow) | null): void {
    if (this.routeSet.length === 0) this.#hop.keepFlow(registered);
  }

  /** The next request of ours. `headers` follow those that every request has. */
  draft(method: string, headers: HeaderList = [], body = NO_BODY): Draft {
    this.#localSeq++;
    return this.#draft(method, this.#localSeq, headers, body);
  }

  /** An ACK has the CSeq of its INVITE (RFC 3261 §13.2.2.4). */
  draftAck(number: number, headers: HeaderList = [], body = NO_BODY): Draft {
    return this.#draft('ACK', number, headers, body);
  }

  /** `begun`: is given its transaction, the first one. */
  request(draft: Draft, events: ClientEvents, begun?: (transaction: ClientTransaction) => void): void {
    const uri = this.#firstHop();
    this.#hop.to(uri, (flow) => {
      const observer = flow.connection === 0 ? events : this.#withSecondTry(draft, uri, events);
      const transaction = this.#core.transactions.request(draft, flow, observer, this.#ladder);
      begun?.(transaction);
    });
  }

  /** A connection may have broken since the dialog began; the peer is still where its Contact says. */
  #withSecondTry(draft: Draft, uri: string, events: ClientEvents): ClientEvents {
    const tryAgain = async (): Promise<void> => {
      const flow = await this.#hop.again(uri);
      if (flow === null) events.failed('transport');
      else this.#core.transactions.request(draft, flow, events, this.#ladder);
    };
    return {
      responded: (response, flow) => events.responded(response, flow),
      failed: (why) => {
        if (why === 'transport') tryAgain().catch((error: unknown) => this.#core.transactions.failed(error));
        else events.failed(why);
      },
    };
  }

  sendAck(draft: Draft): void {
    this.#hop.to(this.#firstHop(), (flow) => this.#core.transactions.sendAck(draft, flow, this.#ladder));
  }

  /** Our ACKs do not reach the peer. Routes of proxies are taken as they are. */
  ackMissed(): void {
    if (this.routeSet.length === 0) this.#hop.missed(this.#remoteTarget);
  }

  #firstHop(): string {
    const [first] = this.routeSet;
    return first === undefined ? this.#remoteTarget : first.uri;
  }

  #draft(method: string, number: number, extra: HeaderList, body: Buffer): Draft {
    const cseq = { number, method };
    const headers: (readonly [string, string])[] = [['max-forwards', '70']];
    const uri = this.#addRoutes(headers);
    headers.push(
      ['from', this.local.text],
      ['to', this.remote.text],
      ['call-id', this.callId],
      ['cseq', `${number} ${method}`],
    );
    if (method !== 'BYE' && method !== 'ACK') headers.push(['contact', `<${this.contact}>`]);
    headers.push(USER_AGENT, ...extra);
    const { callId, local, remote } = this;
    return {
      kind: 'request',
      method,
      uri,
      headers,
      body,
      from: local.address,
      to: remote.address,
      callId,
      cseq,
    };
  }

  /** Returns the Request-URI. A first router without `lr` takes its place (RFC 3261 §12.2.1.1). */
  #addRoutes(headers: (readonly [string, string])[]): string {
    const [first] = this.routeSet;
    if (first === undefined) return this.#remoteTarget;
    const isStrict = parseUri(first.uri)?.params.has('lr') === false;
    const routes = isStrict ? this.routeSet.slice(1) : this.routeSet;
    for (const route of routes) headers.push(['route', formatNameAddr(route)]);
    if (!isStrict) return this.#remoteTarget;
    headers.push(['route', `<${this.#remoteTarget}>`]);
    return first.uri;
  }
}

/** The dialog that an INVITE to us begins, from a peer at `contact`; its answer carries `tag` (RFC 3261 §12.1.1). */
export function uasDialog(
  core: DialogCore,
  request: SipRequest,
  contact: string,
  flow: TransportFlow,
  tag: string,
  ladder: Ladder,
): Dialog {
  const remoteTag = request.from.params.get('tag') ?? '';
  return new Dialog(core, {
    callId: request.callId,
    local: { text: `${headerOf(request, 'to')};tag=${tag}`, address: withTag(request.to, tag), tag },
    remote: { text: headerOf(request, 'from') ?? '', address: request.from, tag: remoteTag },
    routeSet: recordedRoutes(request),
    remoteTarget: contact || request.from.uri,
    localSeq: 0,
    remoteSeq: request.cseq.number,
    flow,
    sticky: isBehindNat(request, flow),
    ownsCallId: false,
    contact: contactUri(core.transports, flow, '', request.uri.startsWith('sips:')),
    ladder,
  });
}

/**
 * The dialog that a response with a To tag begins; the routes come in reverse (RFC 3261 §12.1.2). A 2xx makes them anew and
 * goes on counting where its early dialog stood (§13.2.2.4).
 */
export function uacDialog(
  core: DialogCore,
  invite: Draft,
  response: SipResponse,
  flow: TransportFlow,
  ours: OurSide,
  early?: Dialog,
): Dialog {
  return new Dialog(core, {
    callId: invite.callId,
    local: {
      text: headerOf(invite, 'from') ?? '',
      address: invite.from,
      tag: invite.from.params.get('tag') ?? '',
    },
    remote: {
      text: headerOf(response, 'to') ?? '',
      address: response.to,
      tag: response.to.params.get('tag') ?? '',
    },
    routeSet: recordedRoutes(response).reverse(),
    remoteTarget: contactOf(response) || invite.uri,
    localSeq: early?.localSeq ?? invite.cseq.number,
    // Empty until the peer's first request.
    remoteSeq: early?.remoteSeq ?? -1,
    flow,
    sticky: ours.sticky,
    allows: ours.allows,
    registered: ours.registered,
    ownsCallId: true,
    contact: ours.contact,
    ladder: ours.ladder,
  });
}

/** The URI of the first Contact, or ''. */
export function contactOf(message: SipRequest | SipResponse): string {
  const uri = listOf(message, 'contact')?.[0]?.uri ?? '';
  return uri === '*' ? '' : uri;
}

const recordedRoutes = (message: SipRequest | SipResponse): NameAddr[] =>
  listOf(message, 'record-route') ?? [];

/** The sender wrote another address into its Via than the one we see, and no router of its own stands between us. */
function isBehindNat(request: SipRequest, flow: TransportFlow): boolean {
  if (headerOf(request, 'record-route') !== undefined) return false;
  const host = unbracketed(request.via.host);
  if (host.endsWith('.invalid')) return true;
  return host !== flow.remote.address && isNumeric(host);
}
