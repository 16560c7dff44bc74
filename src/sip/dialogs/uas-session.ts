// An incoming call: from the INVITE to the ACK of our 2xx. What follows is mid-dialog.ts.
//
//   proceeding ──answer──▶ answered ──ACK──▶ confirmed
//        └──reject, CANCEL, BYE──▶ over ◀──BYE──┘
import { hasToken } from '../header-tokens.ts';
import { newTag } from '../ids.ts';
import { Ladder } from '../ladder.ts';
import { NO_BODY, type SipRequest } from '../message.ts';
import { q850Cause } from '../reason.ts';
import { reasonPhrase } from '../reason-phrases.ts';
import type { Replaces } from '../replaces.ts';
import type { IncomingSession, SessionEnd, SessionEvents, StoredDialog } from '../session.ts';
import type { Timer } from '../timers.ts';
import type { Reply, ServerTransaction } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { sdpOf } from './body.ts';
import { ALLOW, type HeaderList, SDP_TYPE, SERVER, SUPPORTED } from './capabilities.ts';
import { type DialogCore, type DialogOwner, type Draft, T2_MS } from './core.ts';
import { uasDialog } from './dialog.ts';
import { MidDialog, type MidDialogHost } from './mid-dialog.ts';
import { ReliableProgress } from './reliable-progress.ts';
import { Repeater } from './repeater.ts';
import { agreeAsUas } from './session-timer.ts';
import { SILENT } from './silent-events.ts';

const REMIND_MS = 60_000;
/** RFC 3262 §3: one that cannot be lost need not come as often. */
const REMIND_RELIABLY_MS = 150_000;

export class UasSession implements IncomingSession, DialogOwner, MidDialogHost {
  readonly callId: string;
  readonly flow: TransportFlow;
  readonly ladder: Ladder;
  readonly #core: DialogCore;
  readonly #tag = newTag();
  readonly #mid: MidDialog;
  readonly #seq: number;
  readonly #hadOffer: boolean;
  readonly takesReliable: boolean;
  #reliable: ReliableProgress | null = null;
  #invite: Draft;
  /** Null once a final response was sent. */
  #transaction: ServerTransaction | null;
  #events: SessionEvents = SILENT;
  #repeater: Repeater | null = null;
  #ringing: Timer | null = null;
  /** SDP went out in a reliable response: the 200 has none then. */
  #describedEarly = false;
  /** The answer in a PRACK, kept for the ACK. */
  #earlyAnswer: Buffer | null = null;
  /** Held back until the PRACK (RFC 3262 §3). */
  #heldAnswer: Buffer | null = null;
  /** Hung up between 200 and ACK: the BYE waits for the ACK (RFC 3261 §15). */
  #heldBye: { readonly reason: string | undefined } | null = null;
  #end: SessionEnd | null = null;

  /** `contact` is where the peer says it is. */
  constructor(core: DialogCore, request: SipRequest, contact: string, transaction: ServerTransaction) {
    this.#core = core;
    this.callId = request.callId;
    this.flow = transaction.flow;
    this.ladder = new Ladder(core.timers);
    this.ladder.asked('in', request, transaction.flow);
    transaction.ladder = this.ladder;
    this.#invite = request;
    this.#transaction = transaction;
    this.#seq = request.cseq.number;
    this.#hadOffer = sdpOf(request) !== null;
    const dialog = uasDialog(core, request, contact, transaction.flow, this.#tag, this.ladder);
    this.#mid = new MidDialog(core, dialog, this);
    this.#mid.learn(request);
    const isRequired = hasToken(request, 'require', '100rel');
    this.takesReliable = isRequired || hasToken(request, 'supported', '100rel');
    if (isRequired) this.#beReliable(transaction);
    core.owners.set(this.#tag, this);
    transaction.waiter = this;
  }

  get invite(): Draft {
    return this.#invite;
  }

  get connection(): number {
    return this.#mid.dialog.flow.connection;
  }

  get events(): SessionEvents {
    return this.#events;
  }

  keepFlow(registered: (() => TransportFlow) | null): void {
    this.#mid.dialog.keepFlow(registered);
  }

  follow(flow: TransportFlow): void {
    this.#mid.follow(flow);
  }

  /** A listener that is set late still gets the end. */
  listen(events: SessionEvents): void {
    this.#events = events;
    if (this.#end !== null) events.ended(this.#end);
  }

  progress(status: number, sdp?: Buffer): void {
    if (this.#transaction === null || this.#heldAnswer !== null) return;
    const headers: HeaderList = [['contact', `<${this.#mid.dialog.contact}>`], ALLOW, SERVER];
    const plain: Reply = { status, headers, toTag: this.#tag };
    const reply = sdp === undefined ? plain : { ...plain, headers: [...headers, SDP_TYPE], body: sdp };
    // What decides what the caller hears must not be lost; a lost 180 does little harm.
    if (sdp !== undefined && this.takesReliable) this.#beReliable(this.#transaction);
    if (this.#reliable === null) {
      this.#ring(reply);
      return;
    }
    // Without an offer in the INVITE the first reliable response has to carry it (RFC 3261 §13.2.1): without SDP nothing is sent.
    if (sdp === undefined && !this.#hadOffer && !this.#describedEarly) return;
    if (sdp !== undefined) {
      this.#describedEarly = true;
      this.#mid.described(sdp);
    }
    this.#reliable.send(reply);
    this.#remind(REMIND_RELIABLY_MS, () => this.#reliable?.send(plain));
  }

  #beReliable(transaction: ServerTransaction): void {
    this.#reliable ??= new ReliableProgress(this.#core, transaction, () => this.#unpracked());
  }

  #ring(reply: Reply): void {
    this.#transaction?.respond(reply);
    this.#remind(REMIND_MS, () => this.#transaction?.respond(reply));
  }

  /** What was sent last is sent again, or a proxy in between gives the call up (RFC 3261 §13.3.1.1). */
  #remind(everyMs: number, send: () => void): void {
    this.#ringing?.stop();
    this.#ringing = this.#core.timers.start(everyMs, () => {
      send();
      this.#remind(everyMs, send);
    });
  }

  answer(sdp: Buffer): void {
    if (this.#transaction === null || this.#heldAnswer !== null) return;
    if (this.#reliable?.isPending === true) this.#heldAnswer = sdp;
    else this.#accept(this.#transaction, sdp);
  }

  #accept(transaction: ServerTransaction, sdp: Buffer): void {
    const { terms, headers: timer } = agreeAsUas(transaction.request, this.#core.settings);
    const headers: (readonly [string, string])[] = [
      ['contact', `<${this.#mid.dialog.contact}>`],
      ALLOW,
      SUPPORTED,
      SERVER,
      ...timer,
    ];
    const toTag = this.#tag;
    if (!this.#describedEarly) headers.push(SDP_TYPE);
    const body = this.#describedEarly ? NO_BODY : sdp;
    this.#finish();
    this.#mid.described(sdp);
    this.#mid.answered(terms);
    this.#repeater = new Repeater(this.#core, transaction, { status: 200, headers, body, toTag }, T2_MS, () =>
      this.#unacknowledged(),
    );
  }

  reject(status: number, headers: HeaderList = []): void {
    if (this.#transaction === null) return;
    this.#refuse(status, headers);
    this.ended({ by: 'us', status, cause: null, reason: reasonPhrase(status) });
    this.gone();
  }

  hangUp(reason?: string): void {
    if (this.#transaction !== null) this.reject(480, reason === undefined ? [] : [['reason', reason]]);
    else if (this.#repeater === null) this.#mid.hangUp(reason);
    else if (this.#heldBye === null) {
      this.#heldBye = { reason };
      this.#notify({ by: 'us', status: null, cause: null, reason: reason ?? '' });
    }
  }

  reinvite(sdp: Buffer, answered: (sdp: Buffer | null, status: number) => void): void {
    this.#mid.reinvite(sdp, answered);
  }

  stored(): StoredDialog | null {
    return this.#mid.stored();
  }

  named(replaces: Replaces): 'early' | 'answered' | null {
    return this.#mid.named(replaces);
  }

  abandon(): void {
    this.#events = SILENT;
    this.#repeater?.stop();
    this.#repeater = null;
    this.#mid.close();
    this.gone();
  }

  received(request: SipRequest, transaction: ServerTransaction): void {
    // RFC 2543 had no tags: a peer without one stays without.
    const tag = request.from.params.get('tag') ?? '';
    if (request.callId !== this.callId || tag !== this.#mid.dialog.remote.tag) {
      transaction.respond({ status: 481, headers: [SERVER] });
      return;
    }
    this.ladder.asked('in', request, transaction.flow);
    transaction.ladder = this.ladder;
    this.#mid.received(request, transaction);
  }

  acknowledged(request: SipRequest, flow: TransportFlow): void {
    this.ladder.acknowledged('in', flow);
    if (this.#repeater === null || request.cseq.number !== this.#seq) {
      this.#mid.acknowledged(request);
      return;
    }
    this.#repeater.stop();
    this.#repeater = null;
    this.#mid.confirmed();
    if (this.#heldBye !== null) {
      this.#mid.hangUp(this.#heldBye.reason);
      return;
    }
    const answer = this.#hadOffer ? null : (this.#earlyAnswer ?? sdpOf(request));
    this.#earlyAnswer = null;
    this.#events.confirmed(answer);
  }

  cancelled(cancel: SipRequest): void {
    if (this.#transaction === null) return;
    this.#refuse(487, []);
    this.ended({ by: 'peer', status: 487, cause: q850Cause(cancel), reason: 'The caller gave up.' });
    this.gone();
  }

  pracked(request: SipRequest, transaction: ServerTransaction): void {
    if (this.#reliable?.acknowledged(request) !== true) {
      transaction.respond({ status: 481, headers: [SERVER] });
      return;
    }
    const sdp = sdpOf(request);
    if (this.#describedEarly) this.#mid.settledEarly = true;
    if (sdp !== null && this.#hadOffer && this.#describedEarly)
      this.#mid.offeredByPrack(request, transaction);
    else {
      if (!this.#hadOffer) this.#earlyAnswer = sdp ?? this.#earlyAnswer;
      transaction.respond({ status: 200, headers: [SERVER] });
    }
    if (this.#describedEarly) this.#events.pracked?.(this.#hadOffer ? null : this.#earlyAnswer);
    const held = this.#heldAnswer;
    this.#heldAnswer = null;
    if (held !== null && this.#transaction !== null) this.#accept(this.#transaction, held);
    else this.#reliable.next();
  }

  /** From mid-dialog or from here; called once. A BYE may come before the answer, too (RFC 3261 §15.1.2). */
  ended(end: SessionEnd): void {
    if (this.#transaction !== null) this.#refuse(487, []);
    this.#repeater?.stop();
    this.#repeater = null;
    this.#notify(end);
  }

  #notify(end: SessionEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    const events = this.#events;
    this.#events = SILENT;
    events.ended(end);
  }

  gone(): void {
    this.#core.owners.delete(this.#tag);
  }

  #refuse(status: number, headers: HeaderList): void {
    const transaction = this.#transaction;
    this.#finish();
    this.#mid.close();
    transaction?.respond({ status, headers: [...headers, SERVER], toTag: this.#tag });
  }

  /** A final response is due: nothing of the INVITE is needed any longer, its body least of all. */
  #finish(): void {
    if (this.#transaction !== null) this.#transaction.waiter = null;
    this.#transaction = null;
    this.#ringing?.stop();
    this.#ringing = null;
    this.#reliable?.stop();
    this.#invite = { ...this.#invite, body: NO_BODY };
  }

  /** RFC 3261 §13.3.1.4. */
  #unacknowledged(): void {
    this.#repeater = null;
    this.#mid.fail('No ACK came for our answer.');
  }

  /** RFC 3262 §3: a 5xx, because the peer cannot be reached reliably. */
  #unpracked(): void {
    if (this.#transaction === null) return;
    this.#refuse(504, []);
    this.ended({ by: 'timeout', status: 504, cause: null, reason: 'No PRACK came.' });
    this.gone();
  }
}
