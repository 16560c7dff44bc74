import { expect, it } from 'vitest';
import { keyOfInfo } from './info-keys.ts';

const RELAY = 'application/dtmf-relay';

it.each([
  [RELAY, 'Signal=5\r\nDuration=160\r\n', '5'],
  [RELAY, 'Signal= #\r\nDuration= 100', '#'],
  [`${RELAY}; charset=utf-8`, 'signal=*', '*'],
  [RELAY, 'Signal=10', '*'],
  [RELAY, 'Signal=11', '#'],
  [RELAY, 'Duration=160\r\nSignal=d', 'D'],
  ['application/dtmf', '7', '7'],
  ['Application/DTMF', ' 0 \r\n', '0'],
])('INFO of type %s with %j is the key %s', (type, body, key) => {
  expect(keyOfInfo(type, Buffer.from(body))).toBe(key);
});

it.each([
  ['text/plain', 'Signal=5'],
  [RELAY, 'Duration=160'],
  [RELAY, 'Signal=55'],
  [RELAY, ''],
  [RELAY, '\0\xff'],
  ['application/dtmf', 'x'],
  [RELAY, `${'a'.repeat(100_000)}\nSignal=5`],
])('INFO of type %s with %j is no key', (type, body) => {
  expect(keyOfInfo(type, Buffer.from(body, 'latin1'))).toBeNull();
});
