import { describe, expect, test } from 'vitest';
import { type Action, type CallEvent, type CallState, NEW_CALL } from '../call-state.ts';
import { lintNode } from '../lint.ts';
import type { FlowNode } from '../node.ts';
import { simulate } from '../simulate.ts';
import { readScenario, type Scenario } from '../simulation/scenario.ts';
import { step } from '../step.ts';
import { STREAM_FAILURES, type StreamNode } from '../stream-phase.ts';
import { aFlow, aMenu } from '../testing/samples.ts';

const aStream = (parts: Partial<StreamNode> = {}): StreamNode => ({
  kind: 'stream',
  ref: 'stream||s',
  name: 'Bot',
  url: 'wss://bot.example.com/{caller}?x=1',
  parameters: [{ name: 'order', value: 'no. {order}' }],
  disclosure: 'welcome',
  maxSeconds: 60,
  destinations: ['hangup||asked'],
  next: 'hangup||next',
  failed: 'hangup||failed',
  ...parts,
});

const run = (nodes: readonly FlowNode[], more: Partial<Scenario> = {}) =>
  simulate(aFlow([...nodes]), { entry: 'stream||s', ...more });
const codesOf = ({ steps }: ReturnType<typeof run>): string[] => steps.map(({ code }) => code);

describe('a simulated stream', () => {
  test('plays the disclosure, talks, and goes on when the bot ends the conversation', () => {
    const trace = run([aStream()]);
    expect(codesOf(trace).filter((code) => code.startsWith('stream') || code === 'playing')).toEqual([
      'playing',
      'stream-connecting',
      'stream-connected',
      'stream-ended',
    ]);
    expect(trace.outcome.destination).toBe('hangup||next');
  });

  test('sets variables, and goes where the bot asks if it may', () => {
    const bot = (transfer: string) => ({
      streams: { 'stream||s': { variables: { order: '7' }, transfer, afterMs: 900 } },
    });
    const allowed = run([aStream()], bot('hangup||asked'));
    expect([allowed.outcome.destination, allowed.variables]).toEqual(['hangup||asked', { order: '7' }]);
    const refused = run([aStream()], bot('hangup||other'));
    expect(codesOf(refused)).toContain('stream-refused');
    expect(refused.outcome.destination).toBe('hangup||next');
  });

  test.each(STREAM_FAILURES)('goes to failed_destination after %s', (failure) => {
    const trace = run([aStream()], { streams: { 'stream||s': { failure } } });
    expect(trace.outcome.destination).toBe('hangup||failed');
    expect(codesOf(trace)).toContain('stream-failed');
  });

  test('is cut at the longest time, and goes on', () => {
    const trace = run([aStream({ maxSeconds: 5 })], { streams: { 'stream||s': { afterMs: 9_000 } } });
    expect(trace.steps.find(({ code }) => code === 'stream-ended')?.text).toContain('5 s');
    expect(trace.outcome.destination).toBe('hangup||next');
  });

  test('that leads back into itself ends by the hop limit where nobody talks', () => {
    const trace = run([aStream({ disclosure: null, next: 'stream||s' })], {
      streams: { 'stream||s': { afterMs: 10 } },
    });
    expect(trace.outcome.reason).toBe('hop-limit');
  });

  test('is read from the JSON of a scenario', () => {
    const reading = (streams: unknown) => readScenario({ streams });
    expect(
      reading({ 'stream||s': { variables: { a: 'b' }, transfer: 'ivr||1', after_ms: 5 } }),
    ).toMatchObject({
      ok: true,
      scenario: { streams: { 'stream||s': { variables: { a: 'b' }, transfer: 'ivr||1', afterMs: 5 } } },
    });
    for (const wrong of [7, { failure: 'x' }, { after_ms: -1 }, { transfer: 7 }, { variables: { a: 1 } }])
      expect(reading({ 'stream||s': wrong })).toMatchObject({
        ok: false,
        faults: [{ pointer: '/streams/stream||s' }],
      });
  });
});

/** A call at the stream, step by step. */
function at(node: StreamNode) {
  const flow = aFlow([node, aMenu('main')]);
  const actions: Action[] = [];
  let state: CallState = NEW_CALL;
  const happen = (event: CallEvent): void => {
    const next = step(flow, state, event);
    state = next.state;
    actions.push(...next.actions);
  };
  happen({ type: 'call-started', entry: node.ref, epochMs: 0, seed: 1, caller: '+49 30', atMs: 0 });
  return {
    actions,
    happen,
    phase: () => state.phase,
    last: (type: string) => actions.findLast((one) => one.type === type),
  };
}

describe('the machine', () => {
  test('fills URL and parameters, percent-encoded in the URL alone, and answers before it connects', () => {
    const { actions, last } = at(aStream({ disclosure: null }));
    expect(last('open-stream')).toMatchObject({
      url: 'wss://bot.example.com/%2B49%2030?x=1',
      parameters: { order: 'no. ' },
    });
    const types = actions.map(({ type }) => type);
    expect(types.indexOf('answer')).toBeLessThan(types.indexOf('open-stream'));
  });

  test('sends keys to the bot, those from before the connection first, and notes none of a conversation', () => {
    const { actions, happen, phase, last } = at(aStream({ disclosure: null }));
    const { request } = last('open-stream') as Extract<Action, { type: 'open-stream' }>;
    happen({ type: 'key-pressed', key: '1', atMs: 10 });
    happen({ type: 'stream-opened', request, atMs: 20 });
    const notes = actions.filter(({ type }) => type === 'note').length;
    happen({ type: 'key-pressed', key: 'A', atMs: 30 });
    expect(actions.filter(({ type }) => type === 'note')).toHaveLength(notes);
    const sent = actions.flatMap((action) => (action.type === 'send-stream-key' ? [action.key] : []));
    expect(sent).toEqual(['1', 'A']);
    expect(phase()).toMatchObject({ name: 'streaming', stage: 'talking' });
  });

  test('closes the stream when the caller hangs up, and reports of another stream change nothing', () => {
    const { happen, phase, last } = at(aStream({ disclosure: null }));
    const { request } = last('open-stream') as Extract<Action, { type: 'open-stream' }>;
    happen({ type: 'stream-opened', request: request + 99, atMs: 5 });
    happen({ type: 'stream-ended', request: request + 99, outcome: { ok: true }, atMs: 5 });
    expect(phase()).toMatchObject({ stage: 'opening' });
    happen({ type: 'caller-hung-up', atMs: 10 });
    expect(last('close-stream')).toEqual({ type: 'close-stream', request });
  });

  test('notes all variables of one message in one line', () => {
    const { actions, happen, last } = at(aStream({ disclosure: null }));
    const { request } = last('open-stream') as Extract<Action, { type: 'open-stream' }>;
    happen({ type: 'stream-opened', request, atMs: 20 });
    const before = actions.length;
    happen({ type: 'stream-variables', request, values: { order: '7', state: 'open' }, atMs: 30 });
    happen({ type: 'stream-variables', request, values: { order: '8' }, atMs: 40 });
    const noted = actions.slice(before).flatMap((action) => (action.type === 'note' ? [action.entry] : []));
    expect(noted.map(({ code, text }) => [code, text])).toEqual([
      ['variable-set', 'The bot set order, state.'],
      ['variable-set', 'The variable order is now “8”.'],
    ]);
  });

  describe('while it connects', () => {
    const TONE = { kind: 'system', prompt: 'please-wait' };
    const fire = ({ happen, actions }: ReturnType<typeof at>, atMs: number): void => {
      const timer = actions.findLast((action) => action.type === 'start-timer' && action.timer === 'stream');
      if (timer?.type !== 'start-timer') throw new Error('a timer runs');
      happen({ type: 'timer-expired', timer: 'stream', generation: timer.generation, atMs });
    };
    /** A call that hears the tone. */
    const waiting = () => {
      const call = at(aStream({ disclosure: null }));
      const { request } = call.last('open-stream') as Extract<Action, { type: 'open-stream' }>;
      expect(call.last('start-timer')).toMatchObject({ timer: 'stream', ms: 700 });
      expect(call.last('play')).toBeUndefined();
      fire(call, 700);
      expect(call.last('play')).toMatchObject({ sound: TONE, loop: true });
      const { playback } = call.last('play') as Extract<Action, { type: 'play' }>;
      return { ...call, request, stop: { type: 'stop-playing', playback }, call };
    };

    test('the caller hears the tone of requests after 700 ms, until the bot is connected', () => {
      const { happen, last, phase, request, stop } = waiting();
      expect(phase()).toMatchObject({ stage: 'opening' });
      happen({ type: 'stream-opened', request, atMs: 2_000 });
      expect(last('stop-playing')).toEqual(stop);
      expect(phase()).toMatchObject({ stage: 'talking', playback: 0 });
    });

    test('the tone ends with a bot that cannot be reached', () => {
      const { happen, last, request, stop } = waiting();
      const outcome = { ok: false, failure: 'unreachable', detail: '' } as const;
      happen({ type: 'stream-ended', request, outcome, atMs: 3_000 });
      expect([last('stop-playing'), last('hang-up')]).toMatchObject([stop, {}]);
    });

    test('the tone ends when nothing is reported in time, and when the caller hangs up', () => {
      const late = waiting();
      fire(late.call, 9_000);
      expect([late.last('stop-playing'), late.last('hang-up')]).toMatchObject([late.stop, {}]);
      expect(late.last('close-stream')).toEqual({ type: 'close-stream', request: late.request });
      const gone = waiting();
      gone.happen({ type: 'caller-hung-up', atMs: 1_000 });
      expect(gone.last('stop-playing')).toEqual(gone.stop);
    });

    test('a bot that is there within 700 ms lets no tone be heard', () => {
      const { happen, last } = at(aStream({ disclosure: null }));
      const { request } = last('open-stream') as Extract<Action, { type: 'open-stream' }>;
      happen({ type: 'stream-opened', request, atMs: 500 });
      expect([last('play'), last('stop-playing')]).toEqual([undefined, undefined]);
    });
  });

  test('hears of no stream during the disclosure', () => {
    const { actions, happen, phase } = at(aStream());
    const before = actions.length;
    happen({ type: 'stream-ended', request: 0, outcome: { ok: true }, atMs: 5 });
    expect([phase(), actions.length]).toMatchObject([{ stage: 'disclosing' }, before]);
  });

  test('does not close a stream that has ended', () => {
    const { happen, last } = at(aStream({ disclosure: null }));
    const { request } = last('open-stream') as Extract<Action, { type: 'open-stream' }>;
    happen({
      type: 'stream-ended',
      request,
      outcome: { ok: false, failure: 'unreachable', detail: '' },
      atMs: 5,
    });
    expect(last('close-stream')).toBeUndefined();
    expect(last('hang-up')).toBeDefined();
  });
});

describe('the linter', () => {
  const codes = (node: FlowNode) =>
    lintNode(aFlow([node]), node).map(({ code, pointer }) => `${code} ${pointer}`);

  test('warns of a stream without a disclosure, with a secret in its URL, and with destinations that are missing', () => {
    expect(codes(aStream())).toEqual([]);
    expect(codes(aStream({ disclosure: null }))).toEqual(['stream-without-disclosure /disclosure_recording']);
    expect(codes(aStream({ url: 'wss://bot.example.com/?token=x' }))).toEqual(['secret-in-url /url']);
    expect(codes(aStream({ destinations: ['ivr||gone'] }))).toEqual(['destination-missing /destinations/0']);
    expect(codes(aStream({ disclosure: 'gone' }))).toEqual(['recording-missing /disclosure_recording']);
  });
});
