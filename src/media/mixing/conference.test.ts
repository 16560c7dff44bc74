import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES } from '../audio/frame.ts';
import { alawToLinear, encodeUlaw, ULAW_SILENCE, ulawToLinear } from '../audio/g711.ts';
import { encodeForAll, PCMA, PCMU } from '../codec.ts';
import { allocateLink, linkDown, linkUp } from './audio-link.ts';
import { Conference, type MixedFrame } from './conference.ts';
import { JitterBuffer } from './jitter-buffer.ts';

/** Says one constant sample; what it hears is the first sample of the frame. */
class Participant {
  says: number | null = null;
  heard = 0;
  frame: Uint8Array = new Uint8Array(0);
  hasLeft = false;

  join(conference: Conference, id: number): void {
    conference.join(id, {
      next: () => (this.says === null ? null : new Uint8Array(FRAME_SAMPLES).fill(encodeUlaw(this.says))),
      hear: (frame: MixedFrame) => {
        this.frame = frame.as(PCMU);
        this.heard = ulawToLinear[this.frame[0] ?? 0] ?? 0;
      },
      left: () => {
        this.hasLeft = true;
      },
    });
  }
}

function conferenceOf(...says: (number | null)[]): { conference: Conference; people: Participant[] } {
  const conference = new Conference(1);
  const people = says.map((said, index) => {
    const participant = new Participant();
    participant.says = said;
    participant.join(conference, index);
    return participant;
  });
  return { conference, people };
}

const near = (value: number): unknown => expect.closeTo(value, -2.7);

describe('a conference', () => {
  it('lets each participant hear the sum of the others, and not itself', () => {
    const { conference, people } = conferenceOf(1_000, 2_000, 4_000, null);
    conference.tick(0);
    expect(people.map(({ heard }) => heard)).toEqual([near(6_000), near(5_000), near(3_000), near(7_000)]);
  });

  it('saturates instead of overflowing', () => {
    const { conference, people } = conferenceOf(30_000, 30_000, -30_000, 30_000, null);
    conference.tick(0);
    expect(people[0]?.heard).toBeGreaterThan(29_000);
    expect(people[2]?.heard).toBeGreaterThan(31_000);
    expect(people[4]?.heard).toBeGreaterThan(31_000);
  });

  it('encodes once for all who are silent, and once for each codec', () => {
    const { conference, people } = conferenceOf(2_000, null, null);
    const frames: Uint8Array[] = [];
    conference.join(9, {
      next: () => null,
      hear: (frame) => frames.push(frame.as(PCMA)),
      left: () => undefined,
    });
    conference.tick(0);
    expect(people[1]?.frame).toBe(people[2]?.frame);
    expect(alawToLinear[frames[0]?.[0] ?? 0]).toEqual(near(2_000));
    expect(people[0]?.heard).toBe(0);
  });

  it('does not mix noise, nor one who is muted', () => {
    const { conference, people } = conferenceOf(30, 3_000, null);
    conference.tick(0);
    expect(people[2]?.heard).toEqual(near(3_000));
    conference.mute(1, true);
    conference.tick(20);
    expect(people.map(({ heard }) => heard)).toEqual([0, 0, 0]);
    conference.mute(1, false);
    conference.tick(40);
    expect(people[2]?.heard).toEqual(near(3_000));
  });

  it('mixes the quiet end of a word for 400 ms', () => {
    const { conference, people } = conferenceOf(3_000, null);
    conference.tick(0);
    if (people[0]) people[0].says = 40;
    const heard: number[] = [];
    for (let frame = 1; frame <= 21; frame++) {
      conference.tick(frame * 20);
      heard.push(people[1]?.heard ?? 0);
    }
    expect(heard.filter((sample) => sample > 0)).toHaveLength(19);
    expect(heard.at(-1)).toBe(0);
  });

  it('announces to all over the conversation, one sound after the other', () => {
    const { conference, people } = conferenceOf(1_000, null);
    const tone = (linear: number): Uint8Array => new Uint8Array(FRAME_SAMPLES).fill(encodeUlaw(linear));
    conference.announce(encodeForAll(tone(500)));
    conference.announce(encodeForAll(tone(200)));
    const heard: number[][] = [];
    for (let frame = 0; frame < 3; frame++) {
      conference.tick(frame * 20);
      heard.push(people.map((each) => Math.round(each.heard / 100)));
    }
    expect(heard).toEqual([
      [5, 15],
      [2, 12],
      [0, 10],
    ]);
  });

  it('gives its sum to a recording', () => {
    const { conference } = conferenceOf(1_000, 2_000);
    const buffer = new JitterBuffer();
    conference.attach(buffer);
    for (let frame = 0; frame < 4; frame++) conference.tick(frame * 20);
    expect(ulawToLinear[buffer.next()?.[0] ?? 0]).toEqual(near(3_000));
    conference.detach(buffer);
    conference.tick(80);
  });

  it('lets everyone go when it closes', () => {
    const { conference, people } = conferenceOf(1_000, null);
    conference.leave(0);
    conference.close();
    expect(people.map(({ hasLeft }) => hasLeft)).toEqual([true, true]);
    people[1] = Object.assign(new Participant(), { heard: 7 });
    conference.tick(0);
    expect(people[1]?.heard).toBe(7);
  });
});

describe('a link between two workers', () => {
  const frame = (value: number): Uint8Array => new Uint8Array(FRAME_SAMPLES).fill(value);

  it('delivers each frame once and in order, each way for itself', () => {
    const shared = allocateLink();
    const [written, read] = [linkUp(shared), linkUp(shared)];
    const heard: (number | undefined)[] = [];
    for (let value = 1; value <= 40; value++) {
      written.write(frame(value));
      heard.push(read.next()?.[0]);
    }
    expect(heard).toEqual([undefined, ...Array.from({ length: 39 }, (_, index) => index + 1)]);
    expect(linkDown(shared).next()).toBeNull();
  });

  it('waits for two frames after a pause, drops old ones, and never grows', () => {
    const shared = allocateLink();
    const [written, read] = [linkDown(shared), linkDown(shared)];
    for (let value = 1; value <= 100; value++) written.write(frame(value));
    // Sixteen were kept; of those the last two are played.
    expect([read.next()?.[0], read.next()?.[0], read.next()]).toEqual([15, 16, null]);
    written.write(frame(ULAW_SILENCE));
    expect(read.next()).toBeNull();
    written.write(frame(2));
    expect(read.next()?.[0]).toBe(ULAW_SILENCE);
  });
});
