import { expect, it } from 'vitest';
import { figuresOf, statisticsOf } from './commands.ts';

it.each([
  { remoteLost: 5, remoteJitterMs: 0.25, roundTripMs: 12.5, oneWay: true },
  { remoteLost: null, remoteJitterMs: null, roundTripMs: null, oneWay: false },
  { remoteLost: 0, remoteJitterMs: 0, roundTripMs: 0, oneWay: false },
])('statistics in a row are the same statistics: $remoteLost lost there', (some) => {
  const statistics = {
    packetsSent: 1,
    packetsReceived: 2,
    packetsLost: 3,
    jitterMs: 4.5,
    bufferMs: 7.5,
    packetsLate: 8,
    strangers: 6,
    ...some,
  };
  expect(statisticsOf(figuresOf(statistics))).toEqual(statistics);
});
