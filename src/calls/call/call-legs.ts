// The telephones of one call: the caller's leg, those that ring, and the one that answered. It does what perform.ts says and
// reports what happens; it decides nothing.

import type { Clock } from '../../clock.ts';
import type { Action, CallEvent, RingTarget, Sound, TimerName } from '../../flow/call-state.ts';
import type {
  KeySource,
  Leg,
  LegEnd,
  LegEvents,
  LegLadder,
  Target,
  Telephony,
} from '../../telephony/telephony.ts';
import type { AgentStates } from '../queues/agent-states.ts';
import { CallTimers } from './call-timers.ts';
import { type EndedLeg, failureOf, isLoss, soFar } from './ended-leg.ts';
import { nothing, QUIET } from './quiet-leg.ts';
import { Recorder } from './recorder.ts';

type Untimed<Event> = Event extends { readonly atMs: number } ? Omit<Event, 'atMs'> : never;
export type Report = Untimed<CallEvent>;

/** Legs of which a record is kept; a call that rings hundreds of phones keeps the first. */
const MAX_LEG_RECORDS = 50;
/** Playbacks of ours, beside those the machine numbers from 1 on. */
const RINGBACK = 0;

export interface CallLegsParts {
  readonly caller: Leg;
  readonly callerNumber: string | null;
  readonly callerName: string;
  /** The agent who calls, as the desk names them; null: somebody else. */
  readonly callingAgent: string | null;
  readonly clock: Clock;
  readonly telephony: Telephony;
  readonly agentStates: AgentStates;
  /** The sound of a recording; null when no such file was ever stored. */
  readonly soundOf: (recording: string) => string | null;
  /** Which phones to ring, or why none. */
  readonly targetOf: (target: RingTarget) => Target | null;
  /** How the desk names the owner of a phone; null: nobody who can be busy. */
  readonly agentOf: (target: RingTarget) => string | null;
  readonly severalCallsPerAgent: boolean;
  /** Room for one more call out to the world, until the returned function is called; null: the account has its fill. */
  readonly acquireOutboundSlot: () => (() => void) | null;
  /** The caller's leg is out in the world itself, called by us: its end gives that room back. */
  readonly releaseOutboundSlot?: () => void;
}

/** A leg on its way to another call, with the room outside that it has, and that its end gives back. */
export interface Released {
  readonly leg: Leg;
  readonly releaseOutboundSlot: () => void;
}

/** Who is told what happens. */
export interface LineHost {
  readonly report: (event: Report) => void;
  /** A key of the caller's, and the way it came. The event of it is reported as well. */
  readonly keyHeard: (key: string, source: KeySource) => void;
  readonly soundMissing: (playback: number) => void;
  readonly transferAsked: (
    by: 'caller' | 'called',
    dialled: string,
    answer: (accepted: boolean) => void,
  ) => void;
  /** The last leg has ended. */
  readonly cleared: () => void;
}

interface Ringing {
  readonly leg: Leg;
  readonly target: RingTarget;
  readonly attempt: number;
  /** The agent is no longer busy with this leg. */
  readonly free: () => void;
  readonly releaseOutboundSlot: () => void;
}

/** Nobody rings here, ever: nothing is put into it. */
const NOBODY = new Map<string, Ringing>();

export class CallLegs {
  readonly #parts: CallLegsParts;
  readonly #host: LineHost;
  readonly #timers: CallTimers;
  /** Made with the first phone that rings: most calls ring none. */
  #ringing = NOBODY;
  readonly endedLegs: EndedLeg[] = [];
  #recorder: Recorder | null = null;
  /** The messages of the side that went on to another call, until then. */
  moved: LegLadder | undefined;
  #caller: Leg | null;
  #called: Ringing | null = null;
  #answered = false;
  #ringback = false;
  /** Whose phone went without a word: a time-out or the network ended it. */
  lost: 'caller' | 'called' | null = null;
  #liveLegs = 1;
  /** Whom `end` of the caller's leg still concerns; false once the leg was handed on. */
  #ownsCaller = true;
  readonly #freeCaller: () => void;

  constructor(parts: CallLegsParts, host: LineHost, answered: boolean) {
    this.#parts = parts;
    this.#host = host;
    this.#caller = parts.caller;
    this.#answered = answered;
    this.#timers = new CallTimers(parts.clock, host.report);
    this.#freeCaller = this.#occupy(parts.callingAgent);
    parts.caller.listen(this.#callerEvents());
  }

  answer(): void {
    this.#answered = true;
    this.#caller?.answer();
  }

  play(playback: number, sound: Sound, loop = false): void {
    this.#ringback = false;
    const { soundOf } = this.#parts;
    if (sound.kind === 'system') {
      this.#caller?.play(playback, { kind: 'system', prompt: sound.prompt }, { loop });
      return;
    }
    const sha256 = sound.kind === 'recording' ? soundOf(sound.id) : null;
    if (sound.kind === 'recording' && sha256 === null) this.#host.soundMissing(playback);
    // The tone that stands for a missing sound is heard once: the machine is told of its end.
    if (sha256 === null) this.#caller?.play(playback, { kind: 'tone', tone: 'missing' });
    else this.#caller?.play(playback, { kind: 'recording', sha256 }, { loop });
  }

  stopPlaying(): void {
    this.#caller?.stopPlaying();
  }

  startTimer(timer: TimerName, generation: number, ms: number): void {
    this.#timers.start(timer, generation, ms);
  }

  stopTimer(timer: TimerName, generation: number): void {
    this.#timers.stop(timer, generation);
  }

  ring({ attempt, targets }: Extract<Action, { type: 'ring' }>): void {
    this.#hearRingback();
    for (const target of targets) this.#ringOne(attempt, target);
  }

  stopRinging(targets: readonly string[]): void {
    for (const id of targets) {
      const ringing = this.#ringing.get(id);
      this.#ringing.delete(id);
      // At once: the next step of the flow may be the same agent again, who is not busy with a call that was given up.
      ringing?.free();
      ringing?.leg.hangUp();
    }
  }

  connect(target: RingTarget): void {
    const ringing = this.#ringing.get(target.id);
    this.#ringing.delete(target.id);
    if (!ringing) return;
    this.#called = ringing;
    this.#ringback = false;
    this.#caller?.stopPlaying();
    this.#caller?.connect(ringing.leg);
  }

  hangUp(cause: number): void {
    this.#stopAll();
    this.#called?.leg.hangUp(cause);
    this.#caller?.hangUp(cause);
  }

  /** An apology of ours, when the machine itself has failed; the caller hangs on until it is over. */
  apologise(cause: number, maxMs: number): void {
    this.#stopAll();
    this.#called?.leg.hangUp(cause);
    const caller = this.#caller;
    if (!caller) return;
    if (!this.#answered) {
      caller.hangUp(cause);
      return;
    }
    const cancel = this.#parts.clock.after(maxMs, () => caller.hangUp(cause));
    caller.listen({
      ...this.#callerEvents(),
      played: () => caller.hangUp(cause),
      keyPressed: () => undefined,
      ended: (end, statistics) => {
        cancel();
        this.#callerEnded(end, statistics);
      },
    });
    caller.play(RINGBACK, { kind: 'system', prompt: 'apology' });
  }

  #stopAll(): void {
    this.#recorder?.end();
    this.#timers.stopAll();
    if (this.#ringing.size > 0) this.stopRinging([...this.#ringing.keys()]);
  }

  /**
   * One side is handed on to another call, the others are hung up: a blind transfer. The line is then cleared as soon as they
   * have ended.
   */
  release(leaving: 'caller' | 'called'): Released | null {
    const called = this.#called;
    const caller = this.#caller;
    if (!caller || (leaving === 'caller' && !called)) return null;
    this.#stopAll();
    caller.disconnect();
    if (leaving === 'called' || !called) {
      caller.stopPlaying();
      this.moved = soFar(caller);
      this.#freeCaller();
      this.#caller = null;
      this.#ownsCaller = false;
      called?.free();
      called?.leg.hangUp();
      this.#legGone();
      return { leg: caller, releaseOutboundSlot: this.#parts.releaseOutboundSlot ?? nothing };
    }
    called.free();
    this.moved = soFar(called.leg);
    this.#called = null;
    caller.hangUp();
    this.#legGone();
    return { leg: called.leg, releaseOutboundSlot: called.releaseOutboundSlot };
  }

  stopRecording(): void {
    this.#recorder?.stop();
  }

  /** Made when it is asked for: of most calls nothing is recorded. */
  get recorder(): Recorder {
    const sides = () => ({ caller: this.#caller, called: this.#called?.leg ?? null });
    this.#recorder ??= new Recorder(sides, this.#parts.clock);
    return this.#recorder;
  }

  get answered(): boolean {
    return this.#answered;
  }

  /** Whoever is to listen in is dialled near it: all of a conversation is in one media worker. */
  get caller(): Leg | null {
    return this.#caller;
  }

  get liveLegs(): number {
    return this.#liveLegs;
  }

  #hearRingback(): void {
    if (!this.#answered) {
      this.#caller?.ring();
      return;
    }
    if (this.#ringback) return;
    this.#ringback = true;
    this.#caller?.play(RINGBACK, { kind: 'tone', tone: 'ringback' }, { loop: true });
  }

  #ringOne(attempt: number, target: RingTarget): void {
    const { agentStates, telephony, agentOf, targetOf, severalCallsPerAgent } = this.#parts;
    const { report } = this.#host;
    const about = { attempt, target: target.id };
    const agent = agentOf(target);
    // The two phones of one agent ring together: the first of them makes the agent busy for others, not for the second.
    const ownRing = [...this.#ringing.values()].some((other) => agentOf(other.target) === agent);
    if (agent !== null && agentStates.isBusy(agent) && !ownRing && !severalCallsPerAgent) {
      report({ type: 'agent-busy', ...about });
      return;
    }
    const to = targetOf(target);
    const releaseOutboundSlot = to?.kind === 'trunk' ? this.#parts.acquireOutboundSlot() : nothing;
    const options = {
      caller: this.#parts.callerNumber,
      callerName: this.#parts.callerName,
      ...(this.#caller ? { near: this.#caller } : {}),
    };
    const leg = to === null || releaseOutboundSlot === null ? null : telephony.dial(to, options);
    if (!leg || !releaseOutboundSlot) {
      releaseOutboundSlot?.();
      report({ type: 'agent-unreachable', ...about });
      return;
    }
    const free = this.#occupy(agent);
    this.#liveLegs += 1;
    if (this.#ringing === NOBODY) this.#ringing = new Map();
    this.#ringing.set(target.id, { leg, target, attempt, free, releaseOutboundSlot });
    leg.listen({
      ...QUIET,
      ringing: () => report({ type: 'ring-progressed', ...about }),
      answered: () => {
        // One that answers after it was given up is cleared without asking the machine.
        if (this.#ringing.get(target.id)?.leg === leg) report({ type: 'agent-answered', ...about });
        else leg.hangUp();
      },
      transferAsked: (dialled, answer) => this.#host.transferAsked('called', dialled, answer),
      ended: (end, statistics) => {
        releaseOutboundSlot();
        free();
        this.#calledEnded(leg, target, attempt, end, statistics);
      },
    });
  }

  /** The agent is busy from now on, until the returned function is called for the first time. */
  #occupy(agent: string | null): () => void {
    if (agent === null) return nothing;
    const { agentStates, clock } = this.#parts;
    agentStates.begin(agent);
    let busy = true;
    return () => {
      if (busy) agentStates.end(agent, clock.epochMs());
      busy = false;
    };
  }

  #callerEvents(): LegEvents {
    const host = this.#host;
    // Member by member: a spread for each call would cost more than the rest of this.
    return {
      ringing: nothing,
      answered: nothing,
      keyPressed: (key, source) => {
        host.keyHeard(key, source);
        host.report({ type: 'key-pressed', key });
      },
      played: (playback) => {
        // Those below 0 are the recorder's, or that of a former call.
        if (playback < 0) this.#recorder?.played(playback);
        else host.report({ type: 'playback-finished', playback });
      },
      soundMissing: host.soundMissing,
      held: nothing,
      resumed: nothing,
      oneWay: nothing,
      transferAsked: (dialled, answer) => host.transferAsked('caller', dialled, answer),
      ended: (end, statistics) => this.#callerEnded(end, statistics),
    };
  }

  #callerEnded(end: LegEnd, statistics: EndedLeg['statistics']): void {
    if (!this.#ownsCaller) return;
    const { caller: leg, callerNumber, releaseOutboundSlot } = this.#parts;
    releaseOutboundSlot?.();
    this.#freeCaller();
    this.#keep({ role: 'caller', number: callerNumber ?? '', end, statistics, leg });
    if (isLoss(end)) this.lost ??= 'caller';
    this.#caller = null;
    this.#recorder?.callerEnded();
    this.#host.report({ type: 'caller-hung-up' });
    this.#legGone();
  }

  #calledEnded(
    leg: Leg,
    target: RingTarget,
    attempt: number,
    end: LegEnd,
    statistics: EndedLeg['statistics'],
  ): void {
    this.#keep({ role: 'called', number: target.number, end, statistics, leg });
    if (this.#called?.leg === leg) {
      if (isLoss(end)) this.lost ??= 'called';
      this.#called = null;
      this.#host.report({ type: 'agent-hung-up' });
    } else if (this.#ringing.get(target.id)?.leg === leg) {
      this.#ringing.delete(target.id);
      this.#host.report({ type: failureOf(end), attempt, target: target.id });
    }
    this.#legGone();
  }

  #keep(leg: EndedLeg): void {
    if (this.endedLegs.length < MAX_LEG_RECORDS) this.endedLegs.push(leg);
  }

  #legGone(): void {
    this.#liveLegs -= 1;
    if (this.#liveLegs === 0) this.#host.cleared();
  }
}
