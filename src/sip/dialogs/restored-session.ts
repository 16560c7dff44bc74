// A call of another node, from its stored dialog on: it begins with a re-INVITE, which also makes this node the peer's target.
import { Ladder } from '../ladder.ts';
import type { SipRequest } from '../message.ts';
import type { Replaces } from '../replaces.ts';
import type { EstablishedSession, SessionEnd, SessionEvents, StoredDialog } from '../session.ts';
import type { ServerTransaction } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { SERVER } from './capabilities.ts';
import type { DialogCore, DialogOwner } from './core.ts';
import { MidDialog, type MidDialogHost } from './mid-dialog.ts';
import { SILENT } from './silent-events.ts';
import { restoredDialog } from './stored-dialog.ts';

export class RestoredSession implements EstablishedSession, DialogOwner, MidDialogHost {
  readonly callId: string;
  readonly flow: TransportFlow;
  readonly ladder: Ladder;
  readonly #core: DialogCore;
  readonly #tag: string;
  readonly #mid: MidDialog;
  #events: SessionEvents;

  /** Null if the dialog cannot be read, or this node has it. */
  static make(
    core: DialogCore,
    stored: StoredDialog,
    flow: TransportFlow,
    events: SessionEvents,
  ): RestoredSession | null {
    const ladder = new Ladder(core.timers);
    const dialog = restoredDialog(core, stored, flow, ladder);
    if (!dialog || core.owners.has(dialog.local.tag)) return null;
    return new RestoredSession(core, dialog, ladder, events);
  }

  private constructor(core: DialogCore, dialog: MidDialog['dialog'], ladder: Ladder, events: SessionEvents) {
    this.#core = core;
    this.#events = events;
    this.callId = dialog.callId;
    this.flow = dialog.flow;
    this.ladder = ladder;
    this.#tag = dialog.local.tag;
    this.#mid = new MidDialog(core, dialog, this);
    this.#mid.answered(null);
    this.#mid.confirmed();
    core.owners.set(this.#tag, this);
  }

  get events(): SessionEvents {
    return this.#events;
  }

  hangUp(reason?: string): void {
    this.#mid.hangUp(reason);
  }

  get connection(): number {
    return this.#mid.dialog.flow.connection;
  }

  follow(flow: TransportFlow): void {
    this.#mid.follow(flow);
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
    this.#mid.close();
    this.gone();
  }

  received(request: SipRequest, transaction: ServerTransaction): void {
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
    this.#mid.acknowledged(request);
  }

  pracked(_request: SipRequest, transaction: ServerTransaction): void {
    transaction.respond({ status: 481, headers: [SERVER] });
  }

  ended(end: SessionEnd): void {
    const events = this.#events;
    this.#events = SILENT;
    events.ended(end);
  }

  gone(): void {
    this.#core.owners.delete(this.#tag);
  }
}
