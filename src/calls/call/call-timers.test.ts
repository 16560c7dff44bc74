import { expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { CallTimers } from './call-timers.ts';

function timers() {
  const clock = new VirtualClock();
  const expired: string[] = [];
  const all = new CallTimers(clock, {
    report: (event) =>
      void expired.push(event.type === 'timer-expired' ? `${event.timer} ${event.generation}` : event.type),
  });
  return { clock, expired, all };
}

it('reports each timer that expires once, in whatever order they were started', () => {
  const { clock, expired, all } = timers();
  all.start('call-limit', 1, 300);
  all.start('playback', 2, 100);
  all.start('first-key', 3, 200);
  clock.advance(1000);
  expect(expired).toEqual(['playback 2', 'first-key 3', 'call-limit 1']);
});

it('replaces the running timer of the same name', () => {
  const { clock, expired, all } = timers();
  all.start('playback', 1, 100);
  all.start('playback', 2, 200);
  clock.advance(1000);
  expect(expired).toEqual(['playback 2']);
});

it('stops a timer of the given generation only, and leaves the others running', () => {
  const { clock, expired, all } = timers();
  all.start('call-limit', 1, 300);
  all.start('playback', 2, 100);
  all.start('ring', 3, 200);
  all.stop('playback', 1);
  all.stop('call-limit', 1);
  all.stop('directory', 4);
  clock.advance(1000);
  expect(expired).toEqual(['playback 2', 'ring 3']);
});

it('reports nothing after stopAll', () => {
  const { clock, expired, all } = timers();
  all.start('call-limit', 1, 300);
  all.start('playback', 2, 100);
  all.stopAll();
  clock.advance(1000);
  expect(expired).toEqual([]);
});

it('a timer can be stopped after another one has ended, and all of them more than once', () => {
  const { clock, expired, all } = timers();
  all.start('call-limit', 1, 300);
  all.start('playback', 2, 100);
  all.start('ring', 3, 200);
  all.stop('call-limit', 1);
  all.stop('ring', 3);
  clock.advance(1000);
  expect(expired).toEqual(['playback 2']);
  all.stopAll();
  all.stopAll();
  all.start('ring', 4, 100);
  clock.advance(100);
  expect([expired, clock.running]).toEqual([['playback 2', 'ring 4'], 0]);
});
