// Dialogs of one outgoing INVITE that a proxy forked (RFC 3261 §12.1, §13.2.2.4): early ones, and confirmed ones that
// lost the race and are ended.
import { hasToken, readSeconds } from '../header-tokens.ts';
import { headerOf, type SipResponse } from '../message.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { sdpOf } from './body.ts';
import type { DialogCore, Draft } from './core.ts';
import { type Dialog, type OurSide, uacDialog } from './dialog.ts';
import { MidDialog, type MidDialogHost } from './mid-dialog.ts';

interface Early {
  readonly mid: MidDialog;
  /** The last RSeq that came in order (RFC 3262 §4). */
  rseq: number;
  /** What it described last, and what of it is early media. */
  sdp: Buffer | null;
  heard: Buffer | null;
}

/** A response to our INVITE, with everything a dialog is made from. */
export interface Answer {
  readonly draft: Draft;
  readonly response: SipResponse;
  readonly flow: TransportFlow;
}

/** A proxy that forks further loses the rest of its branches. */
const MOST_BRANCHES = 16;

export class Branches {
  readonly #core: DialogCore;
  readonly #host: MidDialogHost;
  readonly #ours: (flow: TransportFlow) => OurSide;
  readonly #early = new Map<string, Early>();
  /** Acknowledged and ended; kept to acknowledge again. */
  readonly #strays = new Map<string, Dialog>();

  constructor(core: DialogCore, host: MidDialogHost, ours: (flow: TransportFlow) => OurSide) {
    this.#core = core;
    this.#host = host;
    this.#ours = ours;
  }

  /** Whether any branch reported 18x. */
  get any(): boolean {
    return this.#early.size > 0;
  }

  get(tag: string): MidDialog | undefined {
    return this.#early.get(tag)?.mid;
  }

  /** The dialog of a 2xx: made anew, counting on from its early one. */
  confirmed(tag: string, { draft, response, flow }: Answer): Dialog {
    const early = this.#early.get(tag)?.mid.dialog;
    return uacDialog(this.#core, draft, response, flow, this.#ours(flow), early);
  }

  /** Whether this 18x is new. Reliable ones are acknowledged by PRACK, in order and once each. */
  progressed(answer: Answer): boolean {
    const tag = answer.response.to.params.get('tag') ?? '';
    if (tag === '') return true;
    let early = this.#early.get(tag);
    if (early === undefined) {
      if (this.#early.size >= MOST_BRANCHES) return false;
      const { draft, response, flow } = answer;
      const dialog = uacDialog(this.#core, draft, response, flow, this.#ours(flow));
      early = { mid: new MidDialog(this.#core, dialog, this.#host), rseq: -1, sdp: null, heard: null };
      this.#early.set(tag, early);
    }
    return !hasToken(answer.response, 'require', '100rel') || prack(early, answer);
  }

  /** The early media of an 18x; null: it has none, or repeats that of its dialog. A 180 asks for ringback (RFC 3960 §3.2). */
  earlyMedia(response: SipResponse): Buffer | null {
    const sdp = sdpOf(response);
    const early = this.#early.get(response.to.params.get('tag') ?? '');
    if (early && sdp) early.sdp = sdp;
    if (sdp === null || response.status === 180 || early?.heard?.equals(sdp)) return null;
    if (early) early.heard = sdp;
    return sdp;
  }

  /** What the early dialog described. */
  sdpOf(tag: string): Buffer | null {
    return this.#early.get(tag)?.sdp ?? null;
  }

  /** A 2xx of another branch, or one that crossed our CANCEL: ACK, then BYE (RFC 3261 §13.2.2.4, §9.1). */
  sendAway(tag: string, answer: Answer, done: () => void): void {
    const { number } = answer.draft.cseq;
    const known = this.#strays.get(tag);
    if (known !== undefined) {
      known.sendAck(known.draftAck(number));
      return;
    }
    if (this.#strays.size >= MOST_BRANCHES) return;
    const dialog = this.confirmed(tag, answer);
    this.#strays.set(tag, dialog);
    dialog.sendAck(dialog.draftAck(number));
    dialog.request(dialog.draft('BYE'), {
      responded: ({ status }) => {
        if (status >= 200) done();
      },
      failed: done,
    });
  }

  /** A final response decided the call: early dialogs send nothing more, and what they described is not needed. */
  close(): void {
    for (const early of this.#early.values()) {
      early.mid.close();
      early.sdp = null;
      early.heard = null;
    }
  }
}

/** RFC 3262 §4. */
function prack(early: Early, { draft, response }: Answer): boolean {
  const rseq = readSeconds(headerOf(response, 'rseq'));
  if (rseq === undefined || (early.rseq >= 0 && rseq !== early.rseq + 1)) return false;
  early.rseq = rseq;
  if (sdpOf(response) !== null) early.mid.settledEarly = true;
  const { dialog } = early.mid;
  const request = dialog.draft('PRACK', [['rack', `${rseq} ${draft.cseq.number} INVITE`]]);
  // If the PRACK is lost for good, the peer ends the call.
  dialog.request(request, { responded() {}, failed() {} });
  return true;
}
