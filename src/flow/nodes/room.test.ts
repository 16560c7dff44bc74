import { expect, test } from 'vitest';
import { type Action, type CallEvent, type CallState, NEW_CALL } from '../call-state.ts';
import type { Flow } from '../flow.ts';
import type { RoomNode } from '../node.ts';
import { simulate } from '../simulate.ts';
import { step } from '../step.ts';
import { aFlow, anAnnouncement, aRoom } from '../testing/samples.ts';

const PINS = { pin: '4711', hostPin: '081500' } as const;

/** A call at the room, one event after the other. */
class Visit {
  readonly flow: Flow;
  readonly actions: Action[] = [];
  state: CallState = NEW_CALL;
  #atMs = 0;

  constructor(parts: Partial<RoomNode>) {
    this.flow = aFlow([aRoom('r', parts)]);
    this.does({ type: 'call-started', atMs: 0, entry: 'room||r', epochMs: 0, seed: 1, caller: null });
  }

  does(event: CallEvent): this {
    const { state, actions } = step(this.flow, this.state, event);
    this.state = state;
    this.actions.push(...actions);
    return this;
  }

  press(keys: string): this {
    for (const key of keys) this.does({ type: 'key-pressed', atMs: this.#atMs++, key });
    return this;
  }

  expires(timer: 'first-key' | 'inter-digit' | 'room'): this {
    const generation = this.state.timers[timer];
    expect(generation).toBeGreaterThan(0);
    return this.does({ type: 'timer-expired', atMs: this.#atMs++, timer, generation });
  }

  hearsPrompt(): this {
    const { phase } = this.state;
    const playback = 'playback' in phase ? phase.playback : 0;
    return this.does({ type: 'playback-finished', atMs: this.#atMs++, playback });
  }

  answered(answer: Extract<CallEvent, { type: 'room-answered' }>['answer']): this {
    const { phase } = this.state;
    const request = 'request' in phase ? phase.request : 0;
    return this.does({ type: 'room-answered', atMs: this.#atMs++, request, answer });
  }

  /** Those who entered the right PIN, or needed none: whether as a host. */
  get joined(): boolean[] {
    return this.actions.flatMap((action) =>
      action.type === 'join-room' && action.pin !== 'wrong' ? [action.isHost] : [],
    );
  }

  get codes(): string[] {
    return this.actions.flatMap((action) => (action.type === 'note' ? [action.entry.code] : []));
  }

  get text(): string {
    return this.actions.flatMap((action) => (action.type === 'note' ? [action.entry.text] : [])).join(' ');
  }
}

test('room without a PIN is joined at once', () => {
  const visit = new Visit({});
  expect(visit.joined).toEqual([false]);
  expect(visit.answered('entered').state.phase.name).toBe('in-room');
  expect(visit.codes).toContain('connected');
});

test('room that announces names records one after the prompt, before the caller is in', () => {
  const visit = new Visit({ announce: 'name' }).answered('name');
  expect(visit.state.phase.name).toBe('room-name');
  expect(visit.actions).toContainEqual(
    expect.objectContaining({ type: 'play', sound: { kind: 'system', prompt: 'room-name' } }),
  );
  visit.hearsPrompt();
  expect(visit.actions.at(-1)).not.toMatchObject({ type: 'stop-recording' });
  expect(visit.actions).toContainEqual(
    expect.objectContaining({ type: 'record-name', maxMs: 3_000, silenceMs: 1_500 }),
  );
  visit.press('5#');
  expect(visit.actions.at(-1)).toMatchObject({ type: 'stop-recording' });
  expect(visit.answered('entered').state.phase.name).toBe('in-room');
});

test('# skips the question for the name; a recorder that does not end fails the join', () => {
  const visit = new Visit({ announce: 'name' }).answered('name').press('#');
  expect(visit.actions.map(({ type }) => type)).toContain('record-name');
  expect(visit.actions.map(({ type }) => type)).not.toContain('stop-recording');
  visit.expires('room');
  expect(visit.actions.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['leave-room', 'stop-recording']),
  );
  expect(visit.codes).toContain('room-refused');
});

test('a caller who says the name is let in to wait for the host', () => {
  const visit = new Visit({ announce: 'name', ...PINS, waitForHost: true }).press('4711#');
  visit.answered('name').hearsPrompt().answered('waits');
  expect(visit.state.phase.name).toBe('room-waiting');
  expect(visit.answered('entered').state.phase.name).toBe('in-room');
});

test('room asks for the PIN, which decides who is the host, and shows no key of it', () => {
  const guest = new Visit(PINS).press('4711').expires('inter-digit');
  expect(guest.joined).toEqual([false]);
  const host = new Visit(PINS).press('081500');
  expect(host.joined).toEqual([true]);
  const corrected = new Visit(PINS).press('99*4711#');
  expect(corrected.joined).toEqual([false]);
  for (const visit of [guest, host, corrected]) {
    expect(visit.text).toContain('•');
    expect(visit.text).not.toMatch(/[0-9]{2}|pressed [0-9*#]/);
  }
});

test('room asks three times, then the call goes to the failover', () => {
  const visit = new Visit({ ...PINS, failover: 'extension||sales' });
  visit.press('1111#').answered('wrong-pin').hearsPrompt().expires('first-key').press('47#');
  expect(visit.codes.filter((code) => code === 'room-pin-wrong')).toHaveLength(2);
  visit.answered('wrong-pin');
  expect(visit.joined).toEqual([]);
  expect(visit.codes.filter((code) => code === 'room-pin-wrong')).toHaveLength(3);
  expect(visit.state.phase.name).toBe('ringing');
  const without = new Visit(PINS);
  for (let at = 0; at < 3; at++) without.press('1#').answered('wrong-pin');
  expect(without.state.phase).toMatchObject({ name: 'hang-up', end: 'room-refused' });
});

test('room that takes no PIN for a while refuses the caller, whichever PIN it was', () => {
  for (const pin of ['1111#', '4711#'])
    expect(new Visit(PINS).press(pin).answered('pins-refused').state.phase).toMatchObject({
      name: 'hang-up',
      end: 'room-refused',
    });
});

test('room in which only the host has a PIN lets others in who press # or wait', () => {
  const { hostPin } = PINS;
  expect(new Visit({ hostPin }).press('#').joined).toEqual([false]);
  expect(new Visit({ hostPin }).hearsPrompt().expires('first-key').joined).toEqual([false]);
  expect(new Visit({ hostPin }).press(hostPin).joined).toEqual([true]);
});

test('room takes a PIN that was typed ahead', () => {
  const flow = aFlow([anAnnouncement('a', 'room||r'), aRoom('r', PINS)]);
  const { outcome, steps } = simulate(flow, {
    entry: 'announcement||a',
    script: [
      { do: 'wait', ms: 100 },
      { do: 'press', keys: '4711' },
    ],
  });
  expect(outcome).toMatchObject({ kind: 'connected', destination: 'room||r' });
  expect(steps.map(({ code }) => code)).toContain('keys-typed-ahead');
});

test('room plays music until the host comes, for half an hour at most', () => {
  const visit = new Visit({ waitForHost: true, music: 'welcome' }).answered('waits');
  expect(visit.actions).toContainEqual(expect.objectContaining({ type: 'play', loop: true }));
  expect(visit.press('1').answered('entered').state.phase.name).toBe('in-room');
  const late = new Visit({ waitForHost: true }).answered('waits');
  const wait = late.actions.findLast((action) => action.type === 'start-timer');
  expect(wait).toMatchObject({ timer: 'room', ms: 1_800_000 });
  late.expires('room');
  expect(late.actions.filter(({ type }) => type === 'leave-room')).toHaveLength(1);
  expect(late.state.phase).toMatchObject({ name: 'hang-up', end: 'room-refused' });
});

test('room that is full, locked, at another node or silent refuses the caller', () => {
  const end = (answer: 'full' | 'locked' | 'elsewhere' | 'failed') =>
    new Visit({}).answered(answer).state.phase;
  expect(end('full')).toMatchObject({ name: 'hang-up', end: 'room-full' });
  for (const answer of ['locked', 'elsewhere', 'failed'] as const)
    expect(end(answer)).toMatchObject({ name: 'hang-up', end: 'room-refused' });
  const silent = new Visit({}).expires('room');
  expect(silent.state.phase).toMatchObject({ name: 'hang-up', end: 'room-refused' });
  expect(silent.actions.filter(({ type }) => type === 'leave-room')).toHaveLength(1);
});

test('room lets a call go, and the end says why; keys in it are not noted', () => {
  for (const [why, code] of [
    ['closed', 'room-closed'],
    ['removed', 'room-removed'],
    ['failed', 'room-failed'],
  ] as const) {
    const visit = new Visit({}).answered('entered').press('1234*A');
    const { phase } = visit.state;
    expect(visit.codes).not.toContain('key-ignored');
    visit.does({ type: 'room-left', atMs: 50, request: 'request' in phase ? phase.request : 0, why });
    expect(visit.state.phase).toMatchObject({ name: 'ended', end: { code } });
  }
  const stale = new Visit({})
    .answered('entered')
    .does({ type: 'room-left', atMs: 1, request: 99, why: 'closed' });
  expect(stale.state.phase.name).toBe('in-room');
});

test('a simulated caller enters the PIN of the script, and the host comes after a while', () => {
  const flow = aFlow([aRoom('r', { ...PINS, waitForHost: true })]);
  const { outcome, durationMs } = simulate(flow, {
    entry: 'room||r',
    script: [
      { do: 'press', keys: '1111#' },
      { do: 'press', keys: '4711#' },
    ],
  });
  expect(outcome).toMatchObject({ kind: 'connected', destination: 'room||r' });
  expect(durationMs).toBeGreaterThan(10_000);
});
