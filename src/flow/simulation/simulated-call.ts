// A call without a phone that goes on step by step: a script, a person at the keys, or both, on a virtual clock. simulate()
// runs one to its end; the console holds one in its hand.

import { type Action, type CallEvent, type CallState, NEW_CALL } from '../call-state.ts';
import { changeFlow, type Flow } from '../flow.ts';
import { isConversation } from '../hidden-keys.ts';
import type { FlowNode, Ref } from '../node.ts';
import type { RoomAnswer } from '../room-phase.ts';
import type { Sound } from '../sound.ts';
import { step } from '../step.ts';
import type { TrailEntry } from '../trail.ts';
import { EventHeap } from './event-heap.ts';
import type { AgentBehaviour, Scenario } from './scenario.ts';
import { scriptedAnswer } from './scripted-answer.ts';
import { type CallerDeed, ScriptedCaller } from './scripted-caller.ts';
import { scriptedStream } from './scripted-stream.ts';
import { SimulatedQueue } from './simulated-queue.ts';
import { type Coming, isStale } from './stale-event.ts';
import { type Heard, namesIn, outcomeOf, type Trace } from './trace.ts';

export const DEFAULT_EPOCH_MS = Date.UTC(2026, 0, 5, 10);
const DEFAULT_CALLER = '+15550100';
const DEFAULT_MAX_EVENTS = 10_000;
const ANSWER_MS = 3_000;
const MESSAGE_MS = 5_000;
const HOST_MS = 10_000;
const NAME_MS = 1_500;

export interface Playing {
  readonly playback: number;
  readonly atMs: number;
  readonly sound: Sound;
}

export type Behaviours = { readonly [owner: Ref]: AgentBehaviour };

export class SimulatedCall {
  readonly #unblocked: Flow;
  #flow: Flow;
  #scenario: Scenario;
  readonly #maxEvents: number;
  readonly #coming = new EventHeap<Coming>();
  readonly #caller: ScriptedCaller;
  readonly #events: CallEvent[] = [];
  readonly #steps: TrailEntry[] = [];
  readonly #heard: Heard[] = [];
  readonly #sms: string[] = [];
  readonly #queue: SimulatedQueue;
  /** Whether a past call is replayed: then no events but its own occur. */
  readonly #retold: boolean;
  #playing: Playing | null = null;
  /** At the room that was asked last. */
  #waitsForHost = false;
  #state: CallState = NEW_CALL;
  #atMs = 0;
  #handled = 1;

  /** `recorded`: the events of a call that took place; of the scenario, then, only the start counts. */
  constructor(flow: Flow, scenario: Scenario, recorded?: readonly CallEvent[]) {
    this.#unblocked = changeFlow(flow, { settings: { showsKeys: true } });
    this.#flow = withBlocked(this.#unblocked, scenario.agents ?? {});
    this.#scenario = scenario;
    this.#maxEvents = scenario.maxEvents ?? DEFAULT_MAX_EVENTS;
    this.#retold = recorded !== undefined;
    this.#queue = new SimulatedQueue(
      () => this.#flow,
      () => this.#scenario,
      scenario.epochMs ?? DEFAULT_EPOCH_MS,
    );
    this.#caller = new ScriptedCaller(scenario.script ?? [], (afterMs, deed) =>
      this.#coming.push(this.#atMs + afterMs, { type: 'caller', deed }),
    );
    const { entry, caller = DEFAULT_CALLER, seed = 1, epochMs = DEFAULT_EPOCH_MS } = scenario;
    const given = givenIn(scenario, recorded);
    this.#handle({ type: 'call-started', atMs: 0, entry, epochMs, seed, caller, ...given });
    for (const event of recorded ?? [])
      if (event.type !== 'call-started') this.#coming.push(event.atMs, event);
  }

  get atMs(): number {
    return this.#atMs;
  }

  get state(): CallState {
    return this.#state;
  }

  get steps(): readonly TrailEntry[] {
    return this.#steps;
  }

  get playing(): Playing | null {
    return this.#playing;
  }

  /** A conversation is not simulated: a call is over when it is answered. */
  get over(): boolean {
    const { name } = this.#state.phase;
    return (
      name === 'ended' ||
      (isConversation(this.#state.phase) && !this.#retold) ||
      this.#handled >= this.#maxEvents
    );
  }

  /** Lets the next thing happen, if it happens by then; false: nothing does. */
  next(untilMs = Number.POSITIVE_INFINITY): boolean {
    while (!this.over) {
      const next = this.#coming.pop(untilMs);
      if (!next) return false;
      this.#handled += 1;
      if (isStale(this.#state, next.item)) continue;
      this.#atMs = next.atMs;
      if (next.item.type === 'caller') this.#callerActs(next.item.deed);
      else this.#handle(next.item);
      return true;
    }
    return false;
  }

  /** Lets everything happen that happens up to and with this moment. */
  advanceTo(atMs: number): void {
    while (this.next(atMs));
  }

  press(key: string, atMs: number): void {
    this.#interrupt(atMs, { do: 'press', key });
  }

  hangUp(atMs: number): void {
    this.#interrupt(atMs, { do: 'hang-up' });
  }

  /** From now on these do so when they are rung; phones that ring already are met as was planned. */
  behave(
    agents: Behaviours,
    others: Pick<Scenario, 'waiting' | 'signedOut' | 'requests' | 'streams'> = {},
  ): void {
    this.#scenario = { ...this.#scenario, agents, ...others };
    this.#flow = withBlocked(this.#unblocked, agents);
  }

  trace(): Trace {
    const { entry, epochMs = DEFAULT_EPOCH_MS } = this.#scenario;
    return {
      entry,
      startedEpochMs: epochMs,
      durationMs: this.#atMs,
      outcome: outcomeOf(this.#state, this.#steps, this.#flow),
      steps: [...this.#steps],
      names: namesIn(this.#steps, this.#flow),
      heard: this.#playing ? [...this.#heard, heardUntil(this.#playing, this.#atMs)] : [...this.#heard],
      visited: visitedIn(this.#steps),
      sms: [...this.#sms],
      variables: this.#shownVariables(),
      unusedSteps: this.#caller.unused,
      events: [...this.#events],
    };
  }

  /** A simulation shows everything: its values are its author's own. */
  #shownVariables(): Readonly<Record<string, string>> {
    const { variables } = this.#state;
    return Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));
  }

  #interrupt(atMs: number, deed: CallerDeed): void {
    this.advanceTo(atMs);
    if (this.over) return;
    this.#atMs = Math.max(this.#atMs, atMs);
    this.#callerActs(deed);
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
        const answer = { request, idleSince, lastRung: lastRung[node] ?? null };
        this.#in(0, (at) => ({ type: 'directory-told', atMs: at, ...answer }));
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
      case 'ask-callback': {
        const { request } = action;
        this.#in(0, (at) => ({ type: 'callback-answered', atMs: at, request, answer: 'stored' }));
        return;
      }
      case 'queue-sms':
        this.#sms.push(action.template);
        return;
      case 'record-voicemail':
        this.#recorded(action.request, Math.min(MESSAGE_MS, action.maxMs));
        return;
      case 'stop-recording':
        this.#recorded(action.request, 0);
        return;
      case 'join-room':
        this.#joinRoom(action);
        return;
      case 'record-name':
        this.#enterRoom(action.request, NAME_MS);
        return;
      case 'send-request':
        this.#answer(action);
        return;
      case 'open-stream':
        this.#plan(scriptedStream(this.#scenario.streams, action.node, action.request, atMs));
        return;
      case 'send-stream-key':
      case 'close-stream':
      case 'cancel-request':
      case 'end-talk':
      case 'leave-room':
      case 'answer':
      case 'progress':
      case 'connect-early':
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

  #answer({ request, node }: Extract<Action, { type: 'send-request' }>): void {
    const { outcome, afterMs } = scriptedAnswer(this.#flow, this.#scenario.requests, node);
    this.#in(afterMs, (at) => ({ type: 'request-answered', atMs: at, request, outcome }));
  }

  #plan(events: readonly CallEvent[]): void {
    if (this.#retold) return;
    for (const event of events) this.#coming.push(event.atMs, event);
  }

  #in(afterMs: number, event: (atMs: number) => CallEvent): void {
    if (this.#retold) return;
    const atMs = this.#atMs + afterMs;
    this.#coming.push(atMs, event(atMs));
  }

  /** The host comes after a while. */
  #joinRoom({ request, room, isHost, pin }: Extract<Action, { type: 'join-room' }>): void {
    this.#waitsForHost = room.waitForHost && !isHost;
    if (pin === 'wrong') this.#roomAnswers(request, 0, 'wrong-pin');
    else if (room.announce === 'name') this.#roomAnswers(request, 0, 'name');
    else this.#enterRoom(request, 0);
  }

  #enterRoom(request: number, afterMs: number): void {
    const waits = this.#waitsForHost;
    if (waits) this.#roomAnswers(request, afterMs, 'waits');
    this.#roomAnswers(request, afterMs + (waits ? HOST_MS : 0), 'entered');
  }

  #roomAnswers(request: number, afterMs: number, answer: RoomAnswer): void {
    this.#in(afterMs, (atMs) => ({ type: 'room-answered', atMs, request, answer }));
  }

  #recorded(request: number, afterMs: number): void {
    this.#in(afterMs, (atMs) => ({ type: 'voicemail-recorded', atMs, request, saved: true }));
  }

  #ring({ attempt, node, targets }: Extract<Action, { type: 'ring' }>): void {
    const scripted = this.#caller.takeRingStep();
    for (const target of targets) {
      const planned = scripted ?? this.#behaviourOf(target.owner, node);
      const behaviour = afterBusyTime(outsideDepartment(planned, node), this.#atMs);
      const about = { attempt, target: target.id };
      if (behaviour.do === 'busy') this.#in(0, (atMs) => ({ type: 'agent-busy', atMs, ...about }));
      if (behaviour.do === 'paused') this.#in(0, (atMs) => ({ type: 'agent-paused', atMs, ...about }));
      if (behaviour.do === 'unreachable') {
        this.#in(0, (atMs) => ({ type: 'agent-unreachable', atMs, ...about }));
      }
      if (behaviour.do !== 'answer') continue;
      // The first named of an agent's phones is picked up.
      this.#in(behaviour.afterMs ?? ANSWER_MS, (atMs) => ({ type: 'agent-answered', atMs, ...about }));
    }
  }

  #behaviourOf(owner: Ref, node: Ref): AgentBehaviour {
    const { agents, signedOut } = this.#scenario;
    if (signedOut?.[node]?.includes(owner)) return { do: 'paused' };
    return agents?.[owner] ?? { do: 'answer' };
  }

  #soundEnds(): void {
    if (!this.#playing) return;
    this.#heard.push(heardUntil(this.#playing, this.#atMs));
    this.#playing = null;
  }
}

/** In the order of arrival. */
function visitedIn(steps: readonly TrailEntry[]): Ref[] {
  const visited: Ref[] = [];
  for (const { code, node } of steps) if (code === 'arrived' && node !== null) visited.push(node);
  return visited;
}

/** A past call had its own. */
function givenIn({ variables, dialled }: Scenario, recorded: readonly CallEvent[] | undefined) {
  const begun = recorded?.find((event) => event.type === 'call-started');
  const known = begun ? begun.known : dialled === undefined ? undefined : { dialled };
  const given = begun ? begun.variables : variables;
  return { ...(given ? { variables: given } : {}), ...(known ? { known } : {}) };
}

const heardUntil = ({ atMs, sound }: Playing, untilMs: number): Heard => ({
  atMs,
  ms: untilMs - atMs,
  sound,
});

/** Who is busy for a time answers after it. */
function afterBusyTime(behaviour: AgentBehaviour, atMs: number): AgentBehaviour {
  if (behaviour.do !== 'busy' || behaviour.forMs === undefined || atMs < behaviour.forMs) return behaviour;
  return { do: 'answer' };
}

/** Who is paused takes calls that are not a department's. */
function outsideDepartment(behaviour: AgentBehaviour, node: Ref): AgentBehaviour {
  return behaviour.do === 'paused' && !node.startsWith('department||') ? { do: 'answer' } : behaviour;
}

function withBlocked(flow: Flow, agents: Behaviours): Flow {
  const blocked: FlowNode[] = [];
  for (const [ref, behaviour] of Object.entries(agents)) {
    const agent = flow.nodes.get(ref);
    if (behaviour.do === 'blocked' && agent?.kind === 'agent') blocked.push({ ...agent, blocked: true });
  }
  return blocked.length > 0 ? changeFlow(flow, { nodes: blocked }) : flow;
}
