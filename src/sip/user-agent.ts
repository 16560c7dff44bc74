// The transaction user: every request finds its session, its registrar or its refusal here. One case per method.

import type { CallOptions } from './dialogs/call-options.ts';
import { ABILITIES, ACCEPT, ALLOW, SERVER, SUPPORTED } from './dialogs/capabilities.ts';
import type { DialogCore, DialogOwner, Resolve, Ways } from './dialogs/core.ts';
import { contactOf, uasDialog } from './dialogs/dialog.ts';
import { receiveRefer } from './dialogs/refer.ts';
import { RestoredSession } from './dialogs/restored-session.ts';
import { tooSmallInterval } from './dialogs/session-timer.ts';
import { UacSession } from './dialogs/uac-session.ts';
import { UasSession } from './dialogs/uas-session.ts';
import { Notifier, type NotifierOptions } from './events/notifier.ts';
import { newTag } from './ids.ts';
import { headerOf, type SipRequest } from './message.ts';
import { type NamedDialog, parseTargetDialog, type Replaces } from './replaces.ts';
import { refusal } from './sanity.ts';
import type {
  EstablishedSession,
  IncomingSession,
  OutgoingSession,
  Session,
  SessionEvents,
  StoredDialog,
} from './session.ts';
import type { Timers } from './timers.ts';
import { COOKIE } from './transactions/keys.ts';
import type { Reply, ServerTransaction, Transactions, TransactionUser } from './transactions/transactions.ts';
import type { TransportFlow } from './transports/transport.ts';

/** What becomes of a request outside our dialogs. */
export type Admission<Caller> =
  /** It is handled as the request of this caller; null: of a sender who need not authenticate. */
  | { readonly kind: 'allow'; readonly caller: Caller | null }
  /** The reply is sent, and nothing is kept. */
  | { readonly kind: 'refuse'; readonly reply: Reply }
  /** No reply. */
  | { readonly kind: 'drop' };

/** Admits a sender who need not authenticate. */
export const ALLOWED: Admission<never> = { kind: 'allow', caller: null };
export const DROPPED: Admission<never> = { kind: 'drop' };

/** `Caller`: what `admit` found out about the sender, which the handlers of the request get. */
export interface UserAgentCallbacks<Caller> {
  /** Asked for every request outside our dialogs, before anything is kept. */
  admit(request: SipRequest, flow: TransportFlow): Admission<Caller>;
  /** Whether what came by this flow, with the tags of that session, is of its peer; absent: the tags are proof enough. */
  isOfPeer?(session: Session, flow: TransportFlow): boolean;
  /** A request within the dialog of that local tag came by this flow: its peer is known. */
  inDialog?(flow: TransportFlow, tag: string): void;
  /** A call. Listen before returning; reject, ring or answer then or later. */
  incoming(session: IncomingSession, caller: Caller | null): void;
  /** REGISTER that was authorized; null: there is no registrar. */
  registering(request: SipRequest, flow: TransportFlow, caller: Caller | null): Reply | null;
  /** Whether the sender of a REFER is the peer of the call that it names; absent: none is. */
  mayRefer?(caller: Caller | null, session: Session): boolean;
  /** Seconds until new calls may be taken again, for OPTIONS (RFC 3261 §11.2: as an INVITE would be answered); null: they are. */
  retryAfterS?(): number | null;
}

export interface UserAgentOptions<Caller = null> {
  readonly transactions: Transactions;
  readonly transports: Ways;
  readonly timers: Timers;
  readonly resolve: Resolve;
  readonly callbacks: UserAgentCallbacks<Caller>;
  /** RFC 6665; absent: nothing can be subscribed to. */
  readonly events?: NotifierOptions<Caller>;
  /** RFC 4028; defaults 1800 and 90. */
  readonly sessionExpiresS?: number;
  readonly minSessionExpiresS?: number;
  readonly random?: () => number;
}

export class UserAgent<Caller = null> implements TransactionUser {
  readonly #core: DialogCore;
  readonly #callbacks: UserAgentCallbacks<Caller>;
  readonly notifier: Notifier<Caller> | null;

  constructor(options: UserAgentOptions<Caller>) {
    const { transactions, transports, timers, resolve } = options;
    this.#callbacks = options.callbacks;
    this.#core = {
      transactions,
      transports,
      timers,
      resolve,
      settings: {
        sessionExpiresS: options.sessionExpiresS ?? 1800,
        minSessionExpiresS: options.minSessionExpiresS ?? 90,
      },
      random: options.random ?? Math.random,
      owners: new Map<string, DialogOwner>(),
    };
    this.notifier = options.events ? new Notifier(this.#core, options.events) : null;
  }

  /** Sessions of which anything is left, a BYE under way included. */
  get sessions(): number {
    return this.#core.owners.size;
  }

  /** Null if there is no such dialog, or it is over. */
  find(replaces: Replaces): NamedDialog<DialogOwner> | null {
    const owner = this.#core.owners.get(replaces.toTag);
    const state = owner?.named(replaces) ?? null;
    if (!owner || !state) return null;
    return { owner, isEarly: state === 'early', isOurs: owner instanceof UacSession };
  }

  call(options: CallOptions): OutgoingSession {
    return new UacSession(this.#core, options);
  }

  /** A call of another node. Null: it cannot be read, or this node has it. Rejects when its proxy cannot be reached. */
  async restore(stored: StoredDialog, events: SessionEvents): Promise<EstablishedSession | null> {
    const { protocol, hop, peer } = stored;
    const flow = await this.#core.transports.flowTo(protocol, hop);
    return RestoredSession.make(this.#core, stored, peer ? { ...flow, peer } : flow, events);
  }

  received(request: SipRequest, transaction: ServerTransaction): void {
    const tag = request.to.params.get('tag');
    const owner = tag === undefined ? undefined : this.#core.owners.get(tag);
    // Knowing both tags and the Call-ID is sufficient proof, but of a web page, whose session may be over.
    if (owner !== undefined && tag !== undefined) {
      if (!this.#isOfPeer(owner, transaction.flow)) {
        this.#core.transactions.respondStatelessly(request, transaction.flow, UNKNOWN_DIALOG);
        return;
      }
      this.#callbacks.inDialog?.(transaction.flow, tag);
      owner.received(request, transaction);
      return;
    }
    const admission = this.#callbacks.admit(request, transaction.flow);
    if (admission.kind === 'drop') {
      this.#core.transactions.discard(request);
      return;
    }
    if (admission.kind === 'refuse') {
      this.#core.transactions.respondStatelessly(request, transaction.flow, admission.reply);
      return;
    }
    const refused = refusal(request, ABILITIES);
    if (refused !== null) {
      this.#core.transactions.respondStatelessly(request, transaction.flow, refused);
      return;
    }
    // RFC 3261 §12.2.2: a dialog that we do not know (any more). Tags can be forged, so the refusal is stateless (threat T9).
    if (tag !== undefined) {
      if (request.method === 'SUBSCRIBE' && this.notifier?.refresh(request, transaction)) return;
      this.#core.transactions.respondStatelessly(request, transaction.flow, UNKNOWN_DIALOG);
      return;
    }
    this.#dispatch(request, transaction, admission.caller);
  }

  #dispatch(request: SipRequest, transaction: ServerTransaction, caller: Caller | null): void {
    switch (request.method) {
      case 'INVITE':
        this.#invited(request, transaction, caller);
        return;
      case 'OPTIONS':
        transaction.respond(this.#options());
        return;
      case 'REGISTER': {
        const reply = this.#callbacks.registering(request, transaction.flow, caller);
        transaction.respond(reply ?? { status: 405, headers: [ALLOW, SERVER] });
        return;
      }
      case 'SUBSCRIBE':
        if (this.notifier) this.notifier.subscribe(request, transaction, caller);
        else transaction.respond({ status: 489, headers: [SERVER] });
        return;
      case 'REFER':
        this.#referred(request, transaction, caller);
        return;
      default:
        // BYE, INFO, UPDATE, PRACK and NOTIFY mean nothing without a dialog.
        transaction.respond({ status: 481, headers: [SERVER] });
        return;
    }
  }

  /** Outside a dialog only one that names a call of its sender (RFC 4538): its NOTIFYs go in the dialog that it makes itself. */
  #referred(request: SipRequest, transaction: ServerTransaction, caller: Caller | null): void {
    const target = parseTargetDialog(headerOf(request, 'target-dialog') ?? '');
    const named = target && this.find(target);
    const contact = contactOf(request);
    if (!named || named.isEarly || contact === '' || !this.#callbacks.mayRefer?.(caller, named.owner)) {
      transaction.respond({ status: 403, headers: [SERVER] });
      return;
    }
    const { ladder } = named.owner;
    ladder.asked('in', request, transaction.flow);
    transaction.ladder = ladder;
    const dialog = uasDialog(this.#core, request, contact, transaction.flow, newTag(), ladder);
    receiveRefer(request, transaction, dialog, named.owner.events);
  }

  #options(): Reply {
    const waitS = this.#callbacks.retryAfterS?.() ?? null;
    if (waitS !== null) return { status: 503, headers: [['retry-after', `${waitS}`], SERVER] };
    return { status: 200, headers: [ALLOW, SUPPORTED, ACCEPT, SERVER] };
  }

  #invited(request: SipRequest, transaction: ServerTransaction, caller: Caller | null): void {
    const contact = contactOf(request);
    if (contact === '' && request.via.branch.startsWith(COOKIE)) {
      // Nothing could ever be sent back (RFC 3261 §8.1.1.8). Callers of RFC 2543, who know no such branch, are at their From.
      transaction.respond({ status: 400, reason: 'Contact is missing', headers: [SERVER] });
      return;
    }
    const minSe = tooSmallInterval(request, this.#core.settings);
    if (minSe !== null) {
      transaction.respond({ status: 422, headers: [['min-se', `${minSe}`], SERVER] });
      return;
    }
    const session = new UasSession(this.#core, request, contact, transaction);
    try {
      this.#callbacks.incoming(session, caller);
    } catch (error) {
      // Ends this call only, and releases its state.
      session.reject(500);
      throw error;
    }
  }

  cancelled(transaction: ServerTransaction, cancel: SipRequest): void {
    transaction.waiter?.cancelled(cancel);
  }

  acknowledged(request: SipRequest, flow: TransportFlow): void {
    const tag = request.to.params.get('tag');
    const owner = tag === undefined ? undefined : this.#core.owners.get(tag);
    if (owner && this.#isOfPeer(owner, flow)) owner.acknowledged(request, flow);
  }

  #isOfPeer(session: Session, flow: TransportFlow): boolean {
    return this.#callbacks.isOfPeer?.(session, flow) ?? true;
  }
}

const UNKNOWN_DIALOG: Reply = { status: 481, headers: [SERVER] };
