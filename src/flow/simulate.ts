// A whole call without a phone: a script against step() on a virtual clock. Hours of call take milliseconds,
// and the same scenario always gives the same trace.

import { type Action, type CallEvent, type CallState, NEW_CALL, type Sound } from './call-state.ts';
import { changeFlow, type Flow } from './flow.ts';
import type { FlowNode, Ref } from './node.ts';
import { EventHeap } from './simulation/event-heap.ts';
import type { AgentBehaviour, Scenario } from './simulation/scenario.ts';
import { type CallerDeed, ScriptedCaller } from './simulation/scripted-caller.ts';
import { SimulatedQueue } from './simulation/simulated-queue.ts';
import { type Heard, outcomeOf, type Trace } from './simulation/trace.ts';
import { step } from './step.ts';
import type { TrailEntry } from './trail.ts';

export const DEFAULT_EPOCH_MS = Date.UTC(2026, 0, 5, 10);
const DEFAULT_CALLER = '+15550100';
const DEFAULT_MAX_EVENTS = 10_000;
const ANSWER_MS = 3_000;
const MESSAGE_MS = 5_000;

type Coming = CallEvent | { readonly type: 'caller'; readonly deed: CallerDeed | null };

export function simulate(flow: Flow, scenario: Scenario): Trace {
  return new Simulation(withBlocked(flow, scenario.agents ?? {}), scenario).run();
}

class Simulation {
  readonly #flow: Flow;
  readonly #scenario: Scenario;
  readonly #coming = new EventHeap<Coming>();
  readonly #caller: ScriptedCaller;
  readonly #events: CallEvent[] = [];
  readonly #steps: TrailEntry[] = [];
  readonly #heard: Heard[] = [];
  readonly #sms: string[] = [];
  readonly #queue: SimulatedQueue;
  #playing: { readonly playback: number; readonly atMs: number; readonly sound: Sound } | null = null;
  #state: CallState = NEW_CALL;
  #atMs = 0;

  constructor(flow: Flow, scenario: Scenario) {
    this.#flow = flow;
    this.#scenario = scenario;
    this.#queue = new SimulatedQueue(flow, scenario, scenario.epochMs ?? DEFAULT_EPOCH_MS);
    this.#caller = new ScriptedCaller(scenario.script ?? [], (afterMs, deed) =>
      this.#coming.push(this.#atMs + afterMs, { type: 'caller', deed }),
    );
  }

  run(): Trace {
    const { entry, caller = DEFAULT_CALLER, seed = 1, epochMs = DEFAULT_EPOCH_MS } = this.#scenario;
    const maxEvents = this.#scenario.maxEvents ?? DEFAULT_MAX_EVENTS;
    this.#handle({ type: 'call-started', atMs: 0, entry, epochMs, seed, caller });
    for (let handled = 1; handled < maxEvents && !this.#over(); handled += 1) {
      const next = this.#coming.pop();
      if (!next) break;
      if (isStale(this.#state, next.item)) continue;
      this.#atMs = next.atMs;
      if (next.item.type === 'caller') this.#callerActs(next.item.deed);
      else this.#handle(next.item);
    }
    this.#soundEnds();
    return {
      entry,
      startedEpochMs: epochMs,
      durationMs: this.#atMs,
      outcome: outcomeOf(this.#state, this.#steps),
      steps: this.#steps,
      heard: this.#heard,
      visited: this.#steps.flatMap(({ code, node }) => (code === 'arrived' && node !== null ? [node] : [])),
      sms: this.#sms,
      unusedSteps: this.#caller.unused,
      events: this.#events,
    };
  }

  #over(): boolean {
    const { name } = this.#state.phase;
    return name === 'ended' || name === 'connected';
  }

  #callerActs(deed: CallerDeed | null): void {
    if (deed?.do === 'press') {
      this.#caller.pressed();
      this.#handle({ type: 'key-pressed', atMs: this.#atMs, key: deed.key });
    } else if (deed?.do === 'hang-up') {
      this.#handle({ type: 'caller-hung-up', atMs: this.#atMs });
    } else {
      this.#caller.look(this.#state, this.#atMs);
    }
  }

  #handle(event: CallEvent): void {
    this.#events.push(event);
    const { state, actions } = step(this.#flow, this.#state, event);
    if (event.type === 'playback-finished') this.#soundEnds();
    this.#state = state;
    for (const action of actions) this.#perform(action);
    this.#caller.look(state, this.#atMs);
  }

  #perform(action: Action): void {
    const atMs = this.#atMs;
    switch (action.type) {
      case 'note':
        this.#steps.push(action.entry);
        return;
      case 'play':
        this.#playing = { playback: action.playback, atMs, sound: action.sound };
        if (action.loop) return;
        this.#in(action.durationMs, (at) => ({
          type: 'playback-finished',
          atMs: at,
          playback: action.playback,
        }));
        return;
      case 'stop-playing':
        this.#soundEnds();
        return;
      case 'start-timer': {
        const { timer, generation } = action;
        this.#in(action.ms, (at) => ({ type: 'timer-expired', atMs: at, timer, generation }));
        return;
      }
      case 'ask-directory': {
        const { request, node } = action;
        const { idleSince = {}, lastRung = {} } = this.#scenario;
        const told = { request, idleSince, lastRung: lastRung[node] ?? null };
        this.#in(0, (at) => ({ type: 'directory-told', atMs: at, ...told }));
        return;
      }
      case 'ring':
        this.#ring(action);
        return;
      case 'join-queue':
        this.#plan(this.#queue.join(action, atMs));
        return;
      case 'resume-queue':
        this.#plan(this.#queue.resume(atMs));
        return;
      case 'ask-position':
        this.#plan(this.#queue.position(atMs));
        return;
      case 'queue-sms':
        this.#sms.push(action.template);
        return;
      case 'record-voicemail':
        this.#recorded(action.request, Math.min(MESSAGE_MS, action.maxMs));
        return;
      case 'stop-recording':
        this.#recorded(action.request, 0);
        return;
      case 'answer':
      case 'stop-timer':
      case 'stop-ringing':
      case 'connect':
      case 'leave-queue':
      case 'hang-up':
        return;
      default:
        action satisfies never;
    }
  }

  #plan(events: readonly CallEvent[]): void {
    for (const event of events) this.#coming.push(event.atMs, event);
  }

  #in(afterMs: number, event: (atMs: number) => CallEvent): void {
    const atMs = this.#atMs + afterMs;
    this.#coming.push(atMs, event(atMs));
  }

  #recorded(request: number, afterMs: number): void {
    this.#in(afterMs, (atMs) => ({ type: 'voicemail-recorded', atMs, request, saved: true }));
  }

  #ring({ attempt, targets }: Extract<Action, { type: 'ring' }>): void {
    const scripted = this.#caller.takeRingStep();
    for (const target of targets) {
      const planned: AgentBehaviour = scripted ?? this.#scenario.agents?.[target.owner] ?? { do: 'answer' };
      const behaviour = afterBusyTime(planned, this.#atMs);
      const about = { attempt, target: target.id };
      if (behaviour.do === 'busy') this.#in(0, (atMs) => ({ type: 'agent-busy', atMs, ...about }));
      if (behaviour.do === 'unreachable') {
        this.#in(0, (atMs) => ({ type: 'agent-unreachable', atMs, ...about }));
      }
      if (behaviour.do !== 'answer') continue;
      // Of an agent's phones the first one named is picked up.
      this.#in(behaviour.afterMs ?? ANSWER_MS, (atMs) => ({ type: 'agent-answered', atMs, ...about }));
    }
  }

  #soundEnds(): void {
    if (!this.#playing) return;
    const { atMs, sound } = this.#playing;
    this.#heard.push({ atMs, ms: this.#atMs - atMs, sound });
    this.#playing = null;
  }
}

/** Who is busy for a time answers after it. */
function afterBusyTime(behaviour: AgentBehaviour, atMs: number): AgentBehaviour {
  if (behaviour.do !== 'busy' || behaviour.forMs === undefined || atMs < behaviour.forMs) return behaviour;
  return { do: 'answer' };
}

function withBlocked(flow: Flow, agents: { readonly [owner: Ref]: AgentBehaviour }): Flow {
  const blocked: FlowNode[] = [];
  for (const [ref, behaviour] of Object.entries(agents)) {
    const agent = flow.nodes.get(ref);
    if (behaviour.do === 'blocked' && agent?.kind === 'agent') blocked.push({ ...agent, blocked: true });
  }
  return blocked.length > 0 ? changeFlow(flow, { nodes: blocked }) : flow;
}

/** Whether the machine would ignore it anyway: such events would only clutter the trace. */
function isStale({ phase, timers }: CallState, coming: Coming): boolean {
  switch (coming.type) {
    case 'timer-expired':
      return timers[coming.timer] !== coming.generation;
    case 'playback-finished':
      return !('playback' in phase) || phase.playback !== coming.playback;
    case 'agent-answered':
    case 'agent-busy':
    case 'agent-unreachable':
      return phase.name !== 'ringing' || phase.attempt !== coming.attempt;
    case 'queue-turn':
    case 'queue-position':
    case 'queue-refused':
      return !(phase.name === 'joining' || phase.name === 'queued') || phase.queue.request !== coming.request;
    default:
      return false;
  }
}
