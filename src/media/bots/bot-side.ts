// A voice bot as the other side of a caller's stream, inside its media worker: what the caller says goes up its ring, what the bot says
// comes down it. To recordings and listeners it is a side of the conversation like any other.
import { FRAME_MS, FRAME_SAMPLES } from '../audio/frame.ts';
import { ULAW_SILENCE } from '../audio/g711.ts';
import { PCMU } from '../codec.ts';
import { Depacketizer } from '../mixing/depacketizer.ts';
import type { Participant } from '../mixing/listening-in.ts';
import { SharedStream } from '../worker/shared-stream.ts';
import { CallerEnd } from './bot-ring.ts';

/** The bot gets silence once the caller's audio is later than this: packets are lost, or the phone sends none in pauses. */
const LATE_FRAMES = 5;

const SILENCE = new Uint8Array(FRAME_SAMPLES).fill(ULAW_SILENCE);
/** Shared by all bots of a thread: a tick is over before the next one begins. */
const frame = new Uint8Array(FRAME_SAMPLES);

/** The caller's stream. */
export interface BotCaller extends Participant {
  /** It hears a mix, of which the bot is a part. */
  readonly hearsMix: boolean;
  /** The frame is changed. */
  hearUlaw(frame: Uint8Array, nowMs: number): void;
}

export class BotSide extends SharedStream {
  readonly #caller: BotCaller;
  readonly #ring: CallerEnd;
  readonly #startedMs: number;
  readonly #heard = new Depacketizer((audio) => {
    if (!this.mix) this.#send(audio);
  });
  /** Frames that the bot was sent. */
  #frames = 0;
  #sequence = 0;

  constructor(caller: BotCaller, ring: SharedArrayBuffer, nowMs: number) {
    super();
    this.#caller = caller;
    this.#ring = new CallerEnd(ring);
    this.#startedMs = nowMs;
    caller.attach(this.#heard);
  }

  get partner(): BotCaller {
    return this.#caller;
  }

  tick(nowMs: number): void {
    this.#keepPace(Math.floor((nowMs - this.#startedMs) / FRAME_MS));
    this.#ring.next(frame);
    this.fanout?.push(frame, 0, FRAME_SAMPLES, this.#sequence, PCMU);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    if (!this.#caller.hearsMix) this.#caller.hearUlaw(frame, nowMs);
  }

  end(): void {
    this.#caller.detach(this.#heard);
    this.leave();
  }

  protected override interrupted(): void {
    // Frames follow each other as before.
  }

  #keepPace(due: number): void {
    const { mix } = this;
    const late = mix ? 0 : LATE_FRAMES;
    while (this.#frames < due - late) {
      if (mix) mix.write(frame, 0, 1, PCMU);
      this.#send(mix ? frame : SILENCE);
    }
  }

  #send(audio: Uint8Array): void {
    this.#frames++;
    this.#ring.write(audio);
  }
}
