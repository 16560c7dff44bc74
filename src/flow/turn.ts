// One turn of the machine: the state while an event changes it, and the actions so far. It lives for one
// call of step() and is what the nodes work with; step() does not return it.

import type { Action, CallState, Phase } from './call-state.ts';
import { type Flow, nameOf } from './flow.ts';
import { hidden, hidesKeysAhead } from './hidden-keys.ts';
import type { RecordingId, Ref } from './node.ts';
import type { Sound, SystemPrompt } from './sound.ts';
import type { TimerName } from './timer.ts';
import type { TrailCode, TrailEntry } from './trail.ts';

/** In place of a missing recording: long enough to be noticed, short enough not to be waited for. */
export const TONE_MS = 500;
/** Assumed for a recording of unknown length and for the built-in prompts. */
export const UNKNOWN_PLAYBACK_MS = 3_000;
const OVERDUE_MARGIN_MS = 5_000;
/** Notes about variables in one turn: flows may set and miss thousands. */
export const MAX_VARIABLE_NOTES = 100;
/** Characters that templates make in one turn: as many as the largest request has, and many nodes that are not as large. */
export const MAX_FILLED_AT_ONCE = 512 * 1_024;
/** A piece of a template is work also where it is empty: counted as so many characters. */
const PIECE_COST = 32;
/** How long a letter of a spoken text takes. */
const SPOKEN_LETTER_MS = 75;
/** A digit is read as a word, and many of them as a number of several words. */
const LETTERS_OF_DIGIT = 10;
/** How long a call waits until a text is spoken. */
export const SPEECH_WAIT_MS = 4_000;

type Mutable<Shape> = { -readonly [member in keyof Shape]: Shape[member] };
type Draft = Mutable<CallState>;
type NoteDetail = Partial<Pick<TrailEntry, 'keys' | 'recording' | 'destination' | 'rung' | 'webhook'>>;

export class Turn {
  readonly flow: Flow;
  readonly atMs: number;
  readonly state: Draft;
  readonly actions: Action[] = [];
  #timers: Record<TimerName, number> | null = null;
  #variableNotes = 0;
  #missed: Set<string> | null = null;
  #filled = 0;

  constructor(flow: Flow, state: CallState, atMs: number) {
    this.flow = flow;
    // Call time never runs backwards, whatever the reporter's clock did.
    this.atMs = Math.max(state.atMs, atMs);
    // Member by member: a spread of states of several shapes costs more than all the rest of a step.
    this.state = {
      phase: state.phase,
      atMs: this.atMs,
      startedEpochMs: state.startedEpochMs,
      caller: state.caller,
      priority: state.priority,
      answered: state.answered,
      hops: state.hops,
      talks: state.talks,
      typedAhead: state.typedAhead,
      sensitive: state.sensitive,
      variables: state.variables,
      known: state.known,
      department: state.department,
      agent: state.agent,
      timers: state.timers,
      nextId: state.nextId,
      random: state.random,
    };
  }

  to(phase: Phase): void {
    this.state.phase = phase;
  }

  act(action: Action): void {
    this.actions.push(action);
  }

  note(node: Ref | null, code: TrailCode, text: string, detail?: NoteDetail): void {
    const entry: Mutable<TrailEntry> = { atMs: this.atMs, node, code, text };
    if (detail) addDetail(entry, detail);
    this.actions.push({ type: 'note', entry });
  }

  /** The last one of a turn says that more are left out. */
  noteVariable(node: Ref, code: 'variable-set' | 'variable-unset' | 'variable-refused', text: string): void {
    this.#variableNotes += 1;
    if (this.#variableNotes < MAX_VARIABLE_NOTES) this.note(node, code, text);
    else if (this.#variableNotes === MAX_VARIABLE_NOTES)
      this.note(node, 'variables-unnoted', 'What happens to further variables at once is not noted.');
  }

  /** Flows go from node to node in one turn, and other calls wait for it: what their templates make together is bounded. */
  mayFill(node: Ref): boolean {
    if (this.#filled < MAX_FILLED_AT_ONCE) return true;
    if (this.#filled < Number.POSITIVE_INFINITY)
      this.note(
        node,
        'templates-cut',
        'Texts with variables are too long together: the rest of them is empty.',
      );
    this.#filled = Number.POSITIVE_INFINITY;
    return false;
  }

  hasFilled(characters: number): void {
    this.#filled += characters + PIECE_COST;
  }

  /** Whether the node misses the variable for the first time in this turn. */
  isFirstMiss(node: Ref, name: string): boolean {
    if (this.#variableNotes >= MAX_VARIABLE_NOTES) return false;
    this.#missed ??= new Set();
    const before = this.#missed.size;
    return this.#missed.add(`${name} ${node}`).size > before;
  }

  nameOf(ref: Ref): string {
    return nameOf(this.flow, ref);
  }

  shown(keys: string): string {
    return this.state.sensitive && !this.flow.settings.showsKeys ? hidden(keys) : keys;
  }

  shownAhead(keys: string): string {
    return hidesKeysAhead(this.flow) ? hidden(keys) : keys;
  }

  newId(): number {
    const id = this.state.nextId;
    this.state.nextId = id + 1;
    return id;
  }

  /** The next random number in [0, 1): mulberry32, small and the same everywhere. */
  random(): number {
    const seed = (this.state.random + 0x6d2b79f5) | 0;
    this.state.random = seed;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Answered as late as possible: a call that only rings costs its caller nothing. */
  answer(): void {
    if (this.state.answered) return;
    this.state.answered = true;
    this.act({ type: 'answer' });
    this.note(null, 'answered', 'The call is answered.');
  }

  /** The caller must hear what follows. */
  #beHeard(isEarly: boolean): void {
    if (isEarly) this.act({ type: 'progress' });
    else this.answer();
  }

  /** `isEarly`: before the answer. */
  playRecording(node: Ref, recording: RecordingId, what: string, isEarly = false): number {
    this.#beHeard(isEarly);
    const known = this.flow.recordings.get(recording);
    if (!known) {
      const text = `Recording ${recording} (${what}) does not exist: a short tone is played instead.`;
      this.note(node, 'recording-missing', text, { recording });
      return this.#play({ kind: 'tone', insteadOf: recording }, TONE_MS);
    }
    this.note(node, 'playing', `Plays ${what}: “${known.name}”.`, { recording });
    return this.#play({ kind: 'recording', id: recording }, known.durationMs ?? UNKNOWN_PLAYBACK_MS);
  }

  /** A text, as speaking.ts makes it. */
  say(node: Ref, note: string, sound: Extract<Sound, { kind: 'speech' }>): number {
    this.answer();
    this.note(node, 'playing', note);
    const spokenMs = spokenLength(sound.text) * SPOKEN_LETTER_MS;
    const instead = sound.instead === null ? undefined : this.flow.recordings.get(sound.instead);
    const longestMs = Math.max(spokenMs, instead?.durationMs ?? 0);
    return this.#play(sound, spokenMs, longestMs, SPEECH_WAIT_MS);
  }

  playPrompt(node: Ref, prompt: SystemPrompt, isEarly = false): number {
    this.#beHeard(isEarly);
    this.note(node, 'playing', `Plays the built-in prompt ${prompt}.`);
    return this.#play({ kind: 'system', prompt }, UNKNOWN_PLAYBACK_MS);
  }

  /** One of several prompts in a row, which have a note together. */
  playPart(prompt: SystemPrompt): number {
    this.answer();
    return this.#play({ kind: 'system', prompt }, UNKNOWN_PLAYBACK_MS);
  }

  /** Looped music, hence without a playback timer: the phase that plays it has a timer of its own. */
  playMusic(recording: RecordingId | null): number {
    return this.playLoop(
      recording === null ? { kind: 'system', prompt: 'music-on-hold' } : { kind: 'recording', id: recording },
    );
  }

  playLoop(sound: Sound): number {
    this.answer();
    const playback = this.newId();
    this.act({ type: 'play', playback, sound, durationMs: 0, loop: true });
    return playback;
  }

  /** `longestMs`: of what may be heard in its place; `waitMs`: before it is heard. */
  #play(sound: Sound, durationMs: number, longestMs = durationMs, waitMs = 0): number {
    const playback = this.newId();
    this.act({ type: 'play', playback, sound, durationMs });
    this.startTimer('playback', waitMs + 2 * longestMs + OVERDUE_MARGIN_MS);
    return playback;
  }

  stopPlaying(playback: number): void {
    this.stopTimer('playback');
    this.act({ type: 'stop-playing', playback });
  }

  startTimer(timer: TimerName, ms: number): void {
    this.stopTimer(timer);
    const generation = this.newId();
    this.#setTimer(timer, generation);
    this.act({ type: 'start-timer', timer, generation, ms });
  }

  stopTimer(timer: TimerName): void {
    const generation = this.state.timers[timer];
    if (generation === 0) return;
    this.#setTimer(timer, 0);
    this.act({ type: 'stop-timer', timer, generation });
  }

  forgetTimer(timer: TimerName): void {
    this.#setTimer(timer, 0);
  }

  #setTimer(timer: TimerName, generation: number): void {
    // The state given to step() stays as it was: the first change of a turn copies.
    if (this.#timers === null) {
      this.#timers = copyOf(this.state.timers);
      this.state.timers = this.#timers;
    }
    this.#timers[timer] = generation;
  }

  /** Keys kept for a menu have no meaning where the call has come to: they must not surprise a later one. */
  dropTypedAhead(node: Ref): void {
    const keys = this.state.typedAhead;
    if (keys === '') return;
    this.state.typedAhead = '';
    const shown = this.shownAhead(keys);
    const text = `The keys ${shown}, typed ahead, have no meaning here.`;
    this.note(node, 'keys-dropped', text, { keys: shown });
  }
}

/** In letters. */
function spokenLength(text: string): number {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  return text.length + digits * (LETTERS_OF_DIGIT - 1);
}

/** Member by member, in the order of the record: a spread costs more than the rest of a note. */
function addDetail(entry: Mutable<TrailEntry>, detail: NoteDetail): void {
  const { keys, recording, destination, rung, webhook } = detail;
  if (keys !== undefined) entry.keys = keys;
  if (recording !== undefined) entry.recording = recording;
  if (destination !== undefined) entry.destination = destination;
  if (rung !== undefined) entry.rung = rung;
  if (webhook !== undefined) entry.webhook = webhook;
}

function copyOf(timers: Readonly<Record<TimerName, number>>): Record<TimerName, number> {
  return {
    playback: timers.playback,
    'first-key': timers['first-key'],
    'inter-digit': timers['inter-digit'],
    ring: timers.ring,
    directory: timers.directory,
    voicemail: timers.voicemail,
    'queue-wait': timers['queue-wait'],
    'queue-announce': timers['queue-announce'],
    'queue-offer': timers['queue-offer'],
    'queue-message': timers['queue-message'],
    request: timers.request,
    stream: timers.stream,
    room: timers.room,
    'call-limit': timers['call-limit'],
  };
}
