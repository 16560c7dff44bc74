// The call to a star code that was carried out: answered, confirmed by sounds, ended. It runs through no flow and cannot be transferred,
// followed or recovered; its record says what was done.
import type { TrailEntry } from '../../flow/trail.ts';
import type { Leg, LegEnd, LegStatistics, PlayableSound } from '../../telephony/telephony.ts';
import type { AccountContext } from '../account-context.ts';
import { callLadder } from '../call/call-ladder.ts';
import { LegListener } from '../call/leg-listener.ts';
import { type CallFacts, type CallResult, NO_RESULT, ownEnd } from '../records/call-record.ts';

/** The confirmation is a few words: a phone that acknowledges no answer, or a lost report, ends here. */
const MAX_MS = 20_000;

export interface FeatureDone {
  readonly says: readonly PlayableSound[];
  readonly done: string;
  readonly isFailed?: true;
}

export interface FeatureCallEvents {
  readonly ended: (result: CallResult) => void;
  /** A bug of ours: there is no record. */
  readonly unrecorded: (error: unknown) => void;
}

export class FeatureCall extends LegListener {
  readonly facts: CallFacts;
  readonly #context: AccountContext;
  readonly #leg: Leg;
  readonly #agentId: string;
  readonly #what: FeatureDone;
  readonly #events: FeatureCallEvents;
  readonly #beganMs: number;
  readonly #cancelTimeout: () => void;
  #playing = 0;

  constructor(
    context: AccountContext,
    facts: CallFacts,
    leg: Leg,
    agentId: string,
    what: FeatureDone,
    events: FeatureCallEvents,
  ) {
    super();
    const { clock, agentStates } = context.services;
    this.facts = facts;
    this.#context = context;
    this.#leg = leg;
    this.#agentId = agentId;
    this.#what = what;
    this.#events = events;
    this.#beganMs = clock.nowMs();
    this.#cancelTimeout = clock.after(MAX_MS, () => leg.hangUp());
    // The agent's phone is in use: a queue must not ring it before the confirmation is over.
    agentStates.occupy(facts.id, agentId);
    agentStates.talks(facts.id, agentId);
  }

  start(): void {
    this.#leg.listen(this);
    this.#leg.answer();
    this.#playNext();
  }

  hangUp(): void {
    this.#leg.hangUp();
  }

  override played(playback: number): void {
    if (playback === this.#playing) this.#playNext();
  }

  override ended(end: LegEnd, statistics: LegStatistics | Promise<LegStatistics>): void {
    const { clock, agentStates } = this.#context.services;
    this.#cancelTimeout();
    agentStates.free(this.facts.id, this.#agentId);
    const durationMs = Math.round(clock.nowMs() - this.#beganMs);
    Promise.resolve(statistics)
      .then((whole) => this.#events.ended(this.#result(end, whole, durationMs)))
      .catch(this.#events.unrecorded);
  }

  #playNext(): void {
    const sound = this.#what.says[this.#playing];
    this.#playing += 1;
    if (sound?.kind === 'system') this.#leg.play(this.#playing, this.#context.systemSound(sound.prompt));
    else if (sound) this.#leg.play(this.#playing, sound);
    else this.#leg.hangUp();
  }

  #result(end: LegEnd, statistics: LegStatistics, durationMs: number): CallResult {
    const { caller, dialled } = this.facts;
    const reason = ownEnd(this.#what.isFailed ? 'star-code-failed' : 'star-code-done');
    const line = { node: null } as const;
    const trail: TrailEntry[] = [
      { ...line, atMs: 0, code: 'star-code', text: `Star code ${dialled}. ${this.#what.done}` },
      { ...line, atMs: durationMs, code: 'ended', text: reason.text },
    ];
    const agent = this.#context.agentName(this.#agentId);
    return {
      ...NO_RESULT,
      end: reason,
      durationMs,
      trail,
      ladder: callLadder([this.#leg.ladder?.()], this.#beganMs),
      legs: [
        {
          role: 'caller',
          number: caller ?? '',
          agent,
          beganMs: 0,
          rangMs: null,
          answeredMs: 0,
          endedMs: durationMs,
          end,
          statistics,
        },
      ],
    };
  }
}
