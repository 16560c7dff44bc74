// A leg of a node that died: its peer gets a re-INVITE with the media of this one.
import type { StreamSettings } from '../../../media/media.ts';
import type { Negotiation } from '../../../media/sdp/negotiation.ts';
import type { Ladder } from '../../../sip/ladder.ts';
import type { EstablishedSession, Session, SessionEnd, SessionEvents } from '../../../sip/session.ts';
import { peerOf } from '../../../sip/transports/transport.ts';
import type { LegEnd } from '../../telephony.ts';
import { reasonHeader } from './causes.ts';
import { BuiltinLeg, lostEnd } from './leg.ts';
import type { MediaSide } from './media-side.ts';
import { askTransfer, reanswer } from './session-capabilities.ts';
import { type StoredLeg, storedLeg } from './stored-leg.ts';

export class RestoredLeg extends BuiltinLeg implements SessionEvents {
  protected ladders: readonly Ladder[] = [];
  readonly #peerAddress: string;
  #negotiation: Negotiation | null = null;
  #session: EstablishedSession | null = null;
  #isAnswered = false;
  /** The hang-up that waits for the session. */
  #heldCause: number | null = null;

  constructor({ dialog, hops, passes }: StoredLeg, gone: (end: LegEnd) => void) {
    super(dialog.callId, gone);
    this.hops = hops;
    this.passes = passes;
    this.#peerAddress = (dialog.peer ?? dialog.hop).address;
  }

  isBy(connection: number): boolean {
    return this.#session?.connection === connection;
  }

  /** A call that was taken over stays with the codecs of ours. */
  protected established(): null {
    return null;
  }

  follow(): void {}

  /** A page's call is not stored: it is reached by its own connection alone. */
  readonly isPage = false;

  get peerAddress(): string {
    return this.#session ? peerOf(this.#session.flow).address : this.#peerAddress;
  }

  begin(media: MediaSide, negotiation: Negotiation): void {
    this.media = media;
    this.#negotiation = negotiation;
  }

  /** `restored` rejects, or is null, where the dialog cannot be gone on with. */
  async resume(restored: Promise<EstablishedSession | null>): Promise<void> {
    const session = await restored.catch(() => null);
    if (!session) {
      this.finish(endOf('network', 'The call could not be taken over.'));
      return;
    }
    this.#session = session;
    this.ladders = [session.ladder];
    if (this.over || !this.#negotiation) {
      session.hangUp(reasonHeader(this.#heldCause ?? 16));
      return;
    }
    session.reinvite(this.#negotiation.offer(), (sdp, status) => this.#reinvited(sdp, status));
  }

  ring(): void {}

  progress(): void {}

  answer(): void {}

  hangUp(cause = 16): void {
    if (this.over) return;
    this.#heldCause = cause;
    this.finish({ by: 'us', outcome: 'ended', cause, status: null, text: '' });
    this.#session?.hangUp(reasonHeader(cause));
  }

  lost(text: string, isFault = false): void {
    if (this.over) return;
    const end = lostEnd('ended', text, isFault);
    this.finish(end);
    this.#session?.hangUp(reasonHeader(end.cause));
  }

  stored(): string | null {
    if (this.over || !this.#isAnswered || !this.#session) return null;
    return storedLeg(this.#session, this.#negotiation, this);
  }

  has(session: Session): boolean {
    return session === this.#session;
  }

  abandon(): void {
    this.leave();
    this.#session?.abandon();
  }

  progressed(): void {}

  answered(): void {}

  confirmed(sdp: Buffer | null): void {
    const agreed = sdp && !this.over ? this.#negotiation?.accept(sdp) : null;
    if (agreed && !('fault' in agreed)) this.#configure(agreed);
  }

  offered(...[offer, answer]: Parameters<SessionEvents['offered']>): void {
    const agreed = reanswer(this.over ? null : this.#negotiation, offer, answer);
    if (agreed) this.#configure(agreed);
  }

  referred(...asked: Parameters<SessionEvents['referred']>): void {
    askTransfer(this, this.events, ...asked);
  }

  ended({ by, cause, status, reason }: SessionEnd): void {
    this.finish({ by, outcome: 'ended', cause, status, text: reason });
  }

  #reinvited(sdp: Buffer | null, status: number): void {
    if (this.over) return;
    const agreed = sdp && this.#negotiation?.accept(sdp);
    if (agreed && !('fault' in agreed)) {
      this.#isAnswered = true;
      this.#configure(agreed);
      this.events?.answered();
      return;
    }
    // Its BYE went to the node that died.
    if (status === 481) this.finish(endOf('peer', 'The peer hung up before the call was recovered.'));
    // The session itself ends.
    if (status === 481 || status === 408) return;
    this.finish(endOf('network', `The peer refused to go on after the death of a node (${status}).`));
    this.#session?.hangUp(reasonHeader(41));
  }

  #configure(settings: StreamSettings): void {
    if (this.#session) this.configure(settings, this.#session.flow);
  }
}

const endOf = (by: 'peer' | 'network', text: string): LegEnd => ({
  by,
  outcome: 'ended',
  cause: by === 'peer' ? 16 : 41,
  status: null,
  text,
});
