import { describe, expect, it } from 'vitest';
import { type Counted, countedIn, qualityBetween } from './quality.ts';

const COUNTED: Counted = {
  received: 100,
  lost: 0,
  jitterMs: 2,
  roundTripMs: 40,
  sentLostPercent: 0,
  codec: 'opus',
};

describe('the quality of a call', () => {
  it.each([
    ['good', {}],
    ['fair', { lost: 3 }],
    ['poor', { lost: 20 }],
    ['poor', { sentLostPercent: 8 }],
    ['fair', { jitterMs: 40 }],
    ['fair', { roundTripMs: 350 }],
    ['poor', { roundTripMs: 900 }],
    ['silent', { received: 100 }],
  ])('is %s with %j', (verdict, change) => {
    expect(qualityBetween(COUNTED, { ...COUNTED, received: 200, ...change }).verdict).toBe(verdict);
  });

  it('is about the time since the last look, not about the whole call', () => {
    const before = { ...COUNTED, lost: 50 };
    expect(qualityBetween(before, { ...before, received: 200 })).toMatchObject({
      verdict: 'good',
      lostPercent: 0,
    });
  });

  it('is read from what the browser counts', () => {
    const report = [
      { type: 'codec', id: 'c', mimeType: 'audio/PCMU' },
      { type: 'inbound-rtp', id: 'i', codecId: 'c', packetsReceived: 7, packetsLost: 1, jitter: 0.004 },
      { type: 'remote-inbound-rtp', id: 'r', roundTripTime: 0.05, fractionLost: 0.02 },
    ];
    expect(countedIn(report)).toEqual({
      received: 7,
      lost: 1,
      jitterMs: 4,
      roundTripMs: 50,
      sentLostPercent: 2,
      codec: 'PCMU',
    });
    expect(countedIn([])).toMatchObject({ received: 0, roundTripMs: null, codec: '' });
  });
});
