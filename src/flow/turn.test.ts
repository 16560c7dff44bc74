import { expect, test } from 'vitest';
import { NEW_CALL } from './call-state.ts';
import { changeFlow } from './flow.ts';
import { aFlow } from './testing/samples.ts';
import { SPEECH_WAIT_MS, Turn } from './turn.ts';

const FLOW = changeFlow(aFlow([]), { recordings: [{ id: 'live', name: 'Live', durationMs: null }] });

/** How long the sound is taken to be, and after which time it is given up if its end is not reported. */
function timesOf(play: (turn: Turn) => void): readonly number[] {
  const turn = new Turn(FLOW, NEW_CALL, 0);
  play(turn);
  return turn.actions.flatMap((action) =>
    action.type === 'play' ? action.durationMs : action.type === 'start-timer' ? action.ms : [],
  );
}

test('a sound is given up at twice its length plus five seconds', () => {
  const recording = (id: string) => (turn: Turn) => void turn.playRecording('ivr||main', id, 'the menu');
  expect(timesOf(recording('welcome'))).toEqual([4_000, 13_000]);
  expect(timesOf(recording('live')), 'unknown length').toEqual([3_000, 11_000]);
  expect(timesOf(recording('gone')), 'a tone in its place').toEqual([500, 6_000]);
  expect(timesOf((turn) => turn.playPrompt('ivr||main', 'apology'))).toEqual([3_000, 11_000]);
});

test('looped music has no end to wait for', () => {
  expect(timesOf((turn) => turn.playMusic('welcome'))).toEqual([0]);
});

test('a spoken text is given up after the wait for it too, and a digit takes as long as a word', () => {
  const say = (text: string) => (turn: Turn) =>
    void turn.say('ivr||main', 'Says it.', { kind: 'speech', text, instead: null });
  expect(timesOf(say('Hello.'))).toEqual([450, SPEECH_WAIT_MS + 900 + 5_000]);
  expect(timesOf(say('4711')), 'four thousand seven hundred eleven').toEqual([
    3_000,
    SPEECH_WAIT_MS + 6_000 + 5_000,
  ]);
});
