import { expect, it } from 'vitest';
import { checkRtpPorts, type OpenPairs } from './sound-ports.ts';

const config = { rtpPorts: { from: 20_000, to: 20_199 }, maxCalls: 50, sipHost: '127.0.0.1' };
const found = async (running: OpenPairs, more: Partial<typeof config> = {}) => {
  const { state, code, values } = await checkRtpPorts({ ...config, ...more }, running);
  return [state, code, values];
};

it('ports of a service that runs are counted, not tried', async () => {
  expect(await found({ open: 30, ready: 70, ahead: 384 })).toEqual(['ok', undefined, undefined]);
  // A few rest between two calls.
  expect(await found({ open: 30, ready: 62, ahead: 384 })).toEqual(['ok', undefined, undefined]);
  // No more ports of a wide range than these are made ready ahead.
  const wide = { rtpPorts: { from: 20_000, to: 29_999 } };
  expect(await found({ open: 0, ready: 384, ahead: 384 }, wide)).toEqual(['ok', undefined, undefined]);
});

it('no port that is free is a fault, and some that others hold are a warning', async () => {
  const range = 'RTP_PORTS 20000-20199';
  expect(await found({ open: 100, ready: 0, ahead: 384 })).toEqual(['fail', 'sound-ports-none', { range }]);
  expect(await found({ open: 10, ready: 50, ahead: 384 })).toEqual([
    'warn',
    'sound-ports-taken',
    { range, pairs: '40' },
  ]);
});

it('a range that is too small for MAX_CALLS is a warning once it is nearly used up', async () => {
  expect(await found({ open: 80, ready: 20, ahead: 384 }, { maxCalls: 200 })).toEqual([
    'ok',
    undefined,
    undefined,
  ]);
  expect(await found({ open: 81, ready: 19, ahead: 384 }, { maxCalls: 200 })).toEqual([
    'warn',
    'sound-ports-few',
    { range: 'RTP_PORTS 20000-20199', pairs: '100', calls: '200' },
  ]);
});
