import { expect, it } from 'vitest';
import { HeldPort } from '../../media/webrtc/held-port.ts';
import { checkBrowserPort, runningBrowserPort } from './browser-port.ts';

const sipHost = '127.0.0.1';

it('fails where another program has the port that was chosen, and warns where it is the default', async () => {
  const other = await HeldPort.take(sipHost, 0);
  const found = async (isWebrtcPortChosen: boolean, isRunning = false) =>
    (await checkBrowserPort({ webrtcPort: other.port, isWebrtcPortChosen, sipHost }, isRunning)).state;
  expect([await found(true), await found(false), await found(true, true)]).toEqual(['fail', 'warn', 'ok']);
  other.release();
  expect([await found(true), await found(false), await found(true, true)]).toEqual(['ok', 'ok', 'fail']);
});

it.each([
  [{ port: 30_000, isTaken: false }, 'ok', undefined],
  [{ port: 30_000, isTaken: true }, 'fail', 'browser-port-taken'],
  [{ port: 41_234, isTaken: false }, 'warn', 'browser-port-other'],
])('of the running service with 30000: %j', (running, state, code) => {
  expect(runningBrowserPort({ webrtcPort: 30_000 }, running)).toMatchObject({
    state,
    ...(code ? { code } : {}),
  });
});

it('says nothing where browsers do not call', () => {
  expect(runningBrowserPort({ webrtcPort: undefined }, null)).toBeNull();
});
