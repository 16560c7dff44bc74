// The notifier of RFC 6665: a phone subscribes to a state and gets a NOTIFY with each change of it. What the state is, and who may see
// it, is decided by the owner (OpenWatch); here are the subscriptions, in bounded number, each with its dialog and its expiry.
import { SERVER } from '../dialogs/capabilities.ts';
import type { DialogCore } from '../dialogs/core.ts';
import { contactOf } from '../dialogs/dialog.ts';
import { restoredDialog } from '../dialogs/stored-dialog.ts';
import { readSeconds } from '../header-tokens.ts';
import { detached, newTag } from '../ids.ts';
import { headerOf, type SipRequest } from '../message.ts';
import { formatNameAddr, listOf } from '../name-addr.ts';
import { tokensOf } from '../params.ts';
import { mediaType } from '../sanity.ts';
import type { Reply, ServerTransaction } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { Subscription, type Watch } from './subscription.ts';

/** Called for a SUBSCRIBE outside a dialog that was authorized. A Reply refuses it. */
export type OpenWatch<Caller> = (
  request: SipRequest,
  caller: Caller | null,
  changed: () => void,
) => Watch | Reply;

export interface NotifierOptions<Caller> {
  /** The event packages, with the type of their bodies. */
  readonly events: ReadonlyMap<string, string>;
  readonly open: OpenWatch<Caller>;
  /** Whether what came by this flow is of the subscriber at the other; absent: the tags are proof enough. */
  readonly isOfSubscriber?: (at: TransportFlow, flow: TransportFlow) => boolean;
  readonly limits?: Partial<SubscriptionLimits>;
}

export interface SubscriptionLimits {
  /** The subscriptions of one subscriber, all its devices together. */
  readonly perSubscriber: number;
  readonly perGroup: number;
  readonly all: number;
}

const LIMITS: SubscriptionLimits = { perSubscriber: 300, perGroup: 5_000, all: 30_000 };
/** After a restart, or the death of a node, the lamps of a phone are right again when it has refreshed. */
const MAX_EXPIRES_S = 600;
const MIN_EXPIRES_S = 60;
/** Of From, To, Call-ID, Contact and Record-Route together, in characters: they are held as long as the subscription. */
const MAX_HELD = 3_000;

export class Notifier<Caller> {
  readonly #core: DialogCore;
  readonly #options: NotifierOptions<Caller>;
  readonly #limits: SubscriptionLimits;
  /** By our tag, which is unguessable. */
  readonly #byTag = new Map<string, Subscription>();
  readonly #bySubscriber = new Map<string, Set<Subscription>>();
  readonly #groups = new Map<string, number>();

  constructor(core: DialogCore, options: NotifierOptions<Caller>) {
    this.#core = core;
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
  }

  get count(): number {
    return this.#byTag.size;
  }

  subscribe(request: SipRequest, transaction: ServerTransaction, caller: Caller | null): void {
    const expiresS = this.#refusal(request) ?? expiryOf(request);
    const begun = typeof expiresS === 'number' ? this.#begin(request, transaction.flow, caller) : expiresS;
    if (!(begun instanceof Subscription)) transaction.respond(withServer(begun));
    else if (typeof expiresS === 'number') this.#accept(begun, expiresS, transaction);
  }

  #accept(begun: Subscription, expiresS: number, transaction: ServerTransaction): void {
    this.#add(begun);
    transaction.respond({ ...accepted(begun, expiresS), toTag: begun.tag });
    begun.grant(expiresS);
  }

  /** A SUBSCRIBE inside a dialog. False: there is no such subscription. */
  refresh(request: SipRequest, transaction: ServerTransaction): boolean {
    const subscription = this.#byTag.get(request.to.params.get('tag') ?? '');
    if (!subscription?.isMeant(request)) return false;
    const { isOfSubscriber = () => true } = this.#options;
    if (!isOfSubscriber(subscription.dialog.flow, transaction.flow)) return false;
    const expiresS = expiryOf(request);
    if (!subscription.dialog.acceptsSeq(request.cseq.number))
      transaction.respond({ status: 500, headers: [SERVER] });
    else if (typeof expiresS !== 'number') transaction.respond(withServer(expiresS));
    else if (!subscription.watch.isAllowed()) {
      subscription.drop();
      return false;
    } else {
      subscription.dialog.refreshTarget(request);
      subscription.dialog.followTo(transaction.flow);
      transaction.respond(accepted(subscription, expiresS));
      subscription.grant(expiresS);
    }
    return true;
  }

  /** Subscribers who may see nothing any more: their credentials have changed, for example. */
  check(): void {
    for (const subscription of [...this.#byTag.values()])
      if (!subscription.watch.isAllowed()) subscription.drop();
  }

  /** Phones are asked to subscribe again a moment later: another process may take them then. */
  close(): void {
    for (const subscription of [...this.#byTag.values()]) subscription.end('probation;retry-after=10');
    for (const subscription of [...this.#byTag.values()]) subscription.drop();
  }

  #refusal(request: SipRequest): Reply | null {
    const { events } = this.#options;
    const allowed = ['allow-events', [...events.keys()].join(', ')] as const;
    const type = events.get(eventOf(request));
    if (type === undefined) return { status: 489, headers: [allowed] };
    if (contactOf(request) === '') return { status: 400, reason: 'Contact is missing' };
    const types = tokensOf(request, 'accept').map(mediaType);
    // RFC 6665 §4.1.2.1: without Accept the package's own type is meant.
    if (types.length > 0 && ![type, 'application/*', '*/*'].some((each) => types.includes(each)))
      return { status: 406, headers: [['accept', type], allowed] };
    return null;
  }

  #begin(request: SipRequest, flow: TransportFlow, caller: Caller | null): Subscription | Reply {
    const tag = newTag();
    const dialog = this.#dialogOf(request, flow, tag);
    if (!dialog) return { status: 400, reason: 'Addresses too long' };
    let subscription: Subscription | null = null;
    const event = eventOf(request);
    const watch = this.#options.open(request, caller, () => subscription?.changed());
    if ('status' in watch) return watch;
    const id = detached(eventIdOf(request));
    const about = { tag, event: id === '' ? event : `${event};id=${id}`, uri: detached(request.uri) };
    const begun = new Subscription(this.#core, dialog, watch, about, () => this.#remove(begun));
    // The phone has restarted, and knows nothing of its former subscription.
    const own = this.#bySubscriber.get(watch.id);
    for (const former of [...(own ?? [])]) if (former.isReplacedBy(begun)) former.drop();
    const { perSubscriber, perGroup, all } = this.#limits;
    const isFull =
      (own?.size ?? 0) >= perSubscriber ||
      (this.#groups.get(watch.group) ?? 0) >= perGroup ||
      this.#byTag.size >= all;
    if (isFull) {
      watch.close();
      return { status: 503, reason: 'Too many subscriptions', headers: [['retry-after', '300']] };
    }
    subscription = begun;
    return begun;
  }

  /** Requests go along the flow that the SUBSCRIBE came by: a registered phone may be behind NAT. */
  #dialogOf(request: SipRequest, flow: TransportFlow, tag: string) {
    const routes = (listOf(request, 'record-route') ?? []).map(formatNameAddr);
    const [from, to] = [headerOf(request, 'from') ?? '', headerOf(request, 'to') ?? ''];
    const target = contactOf(request);
    const held = [request.callId, from, to, target, ...routes].reduce((sum, { length }) => sum + length, 0);
    if (held > MAX_HELD) return null;
    const { protocol, remote: hop } = flow;
    return restoredDialog(
      this.#core,
      {
        callId: detached(request.callId),
        local: detached(`${to};tag=${tag}`),
        remote: detached(from),
        routes: routes.map(detached),
        target: detached(target),
        localSeq: 0,
        remoteSeq: request.cseq.number,
        ownsCallId: false,
        protocol,
        hop,
      },
      flow,
    );
  }

  #add(subscription: Subscription): void {
    const { id, group } = subscription.watch;
    this.#byTag.set(subscription.tag, subscription);
    const own = this.#bySubscriber.get(id);
    if (own) own.add(subscription);
    else this.#bySubscriber.set(id, new Set([subscription]));
    this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
  }

  #remove(subscription: Subscription): void {
    if (!this.#byTag.delete(subscription.tag)) return;
    const { id, group } = subscription.watch;
    const own = this.#bySubscriber.get(id);
    own?.delete(subscription);
    if (own?.size === 0) this.#bySubscriber.delete(id);
    const left = (this.#groups.get(group) ?? 1) - 1;
    if (left > 0) this.#groups.set(group, left);
    else this.#groups.delete(group);
  }
}

const withServer = (reply: Reply): Reply => ({ ...reply, headers: [...(reply.headers ?? []), SERVER] });

function accepted({ dialog }: Subscription, expiresS: number): Reply {
  const headers = [['expires', `${expiresS}`], ['contact', `<${dialog.contact}>`], SERVER] as const;
  return { status: 200, headers };
}

/** `dialog` of `dialog;id=7`, in lower case. */
export function eventOf(request: SipRequest): string {
  return mediaType(headerOf(request, 'event') ?? '');
}

/** RFC 6665 §8.4: tells subscriptions of one dialog apart; the NOTIFY repeats it. */
function eventIdOf(request: SipRequest): string {
  const [, id = ''] = /;\s*id\s*=\s*([\w.!%*+`'~-]{1,64})/i.exec(headerOf(request, 'event') ?? '') ?? [];
  return id;
}

/** Seconds; 0: the present state once, and no more. */
function expiryOf(request: SipRequest): number | Reply {
  const asked = readSeconds(headerOf(request, 'expires')) ?? MAX_EXPIRES_S;
  if (asked > 0 && asked < MIN_EXPIRES_S)
    return { status: 423, headers: [['min-expires', `${MIN_EXPIRES_S}`]] };
  return Math.min(asked, MAX_EXPIRES_S);
}
