import { expect, test } from 'vitest';
import { PHASES } from './phases.ts';
import type { AwaitedEvent } from './rules.ts';
import { NO_TIMERS } from './timer.ts';

/** Completed by the compiler. */
const EVENTS: Readonly<Record<AwaitedEvent['type'], true>> = {
  'directory-told': true,
  'ring-progressed': true,
  'early-media': true,
  'agent-answered': true,
  'agent-busy': true,
  'agent-unreachable': true,
  'ring-failed': true,
  'agent-paused': true,
  'agent-hung-up': true,
  'picked-up': true,
  'voicemail-recorded': true,
  'queue-turn': true,
  'queue-position': true,
  'queue-refused': true,
  'callback-answered': true,
  'room-answered': true,
  'room-left': true,
  'request-answered': true,
  'stream-opened': true,
  'stream-transfer': true,
  'stream-variables': true,
  'stream-ended': true,
  'caller-hung-up': true,
};

const rows = Object.values(PHASES) as { timers?: object; on?: object }[];
const known = (of: 'timers' | 'on'): string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row[of] ?? {})))].toSorted();

test('every event that phases may wait for is waited for by one', () => {
  expect(known('on')).toEqual(Object.keys(EVENTS).toSorted());
});

test('every timer but those of all phases means something in one', () => {
  const ofAll = ['playback', 'call-limit'];
  const timers = Object.keys(NO_TIMERS).filter((name) => !ofAll.includes(name));
  expect(known('timers')).toEqual(timers.toSorted());
});
