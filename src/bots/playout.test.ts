import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocateBotRing, BotEnd, CallerEnd } from '../media/bots/bot-ring.ts';
import { MAX_MARKS, MAX_QUEUED_BYTES, Playout } from './playout.ts';

function playouts(): { readonly playout: Playout; readonly play: () => Uint8Array } {
  const ring = allocateBotRing();
  const caller = new CallerEnd(ring);
  const play = (): Uint8Array => {
    const frame = new Uint8Array(160);
    caller.next(frame);
    return frame;
  };
  return { playout: new Playout(new BotEnd(ring)), play };
}

describe('marks', () => {
  it('are reached with the frame that ends before them, and not a frame earlier', () => {
    const { playout, play } = playouts();
    playout.add(Buffer.alloc(480, 1));
    playout.mark('three');
    playout.add(Buffer.alloc(160, 2));
    playout.mark('four');
    const reached: (readonly string[])[] = [];
    for (let frame = 1; frame <= 4; frame++) {
      play();
      reached.push(playout.poll());
    }
    expect(reached).toEqual([[], [], ['three'], ['four']]);
  });

  it('behind nothing are reached at once', () => {
    const { playout } = playouts();
    playout.mark('now');
    expect(playout.poll()).toEqual(['now']);
  });

  it('in what is cleared come back with it, in order, once', () => {
    const { playout, play } = playouts();
    playout.add(Buffer.alloc(40_000, 1));
    playout.mark('one');
    playout.add(Buffer.alloc(40_000, 1));
    playout.mark('two');
    play();
    expect(playout.clear()).toEqual(['one', 'two']);
    expect([playout.poll(), playout.queued]).toEqual([[], 0]);
  });

  it('are bounded', () => {
    const { playout } = playouts();
    playout.add(Buffer.alloc(1_000));
    for (let count = 0; count < MAX_MARKS; count++) expect(playout.mark('m')).toBe(true);
    expect(playout.mark('m')).toBe(false);
  });
});

it('a minute fits, and not a byte more', () => {
  const { playout, play } = playouts();
  expect(playout.add(Buffer.alloc(MAX_QUEUED_BYTES))).toBe(true);
  expect(playout.add(Buffer.alloc(1))).toBe(false);
  play();
  expect(playout.add(Buffer.alloc(160))).toBe(true);
  expect(playout.add(Buffer.alloc(1))).toBe(false);
});

it('whatever is added is played in order, with marks at their places and clears between, as a plain list would', () => {
  const deed = fc.oneof(
    { weight: 4, arbitrary: fc.nat(3_000).map((bytes) => ({ do: 'add' as const, bytes })) },
    { weight: 2, arbitrary: fc.constant({ do: 'mark' as const, bytes: 0 }) },
    { weight: 1, arbitrary: fc.constant({ do: 'clear' as const, bytes: 0 }) },
    { weight: 6, arbitrary: fc.nat(30).map((bytes) => ({ do: 'play' as const, bytes })) },
  );
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 120 }), (deeds) => {
      const { playout, play } = playouts();
      let model: number[] = [];
      let marks: { name: string; left: number }[] = [];
      let value = 0;
      for (const { do: what, bytes } of deeds) {
        if (what === 'add') {
          // Never 0xff, which is silence.
          value = (value + 1) % 250;
          if (playout.add(Buffer.alloc(bytes, value))) for (let at = 0; at < bytes; at++) model.push(value);
        } else if (what === 'mark') {
          playout.mark(`m${marks.length}`);
          marks.push({ name: `m${marks.length}`, left: model.length });
        } else if (what === 'clear') {
          expect(playout.clear().length).toBe(marks.length);
          model = [];
          marks = [];
        } else
          for (let frame = 0; frame < bytes; frame++) {
            const before = playout.queued;
            const heard = [...play()].slice(0, before - playout.queued);
            expect(heard).toEqual(model.splice(0, heard.length));
            marks = marks.map(({ name, left }) => ({ name, left: left - heard.length }));
            const due = marks.filter(({ left }) => left <= 0);
            marks = marks.filter(({ left }) => left > 0);
            expect(playout.poll().length).toBe(due.length);
          }
      }
      expect(playout.queued).toBe(model.length);
    }),
    { numRuns: 100 },
  );
});
