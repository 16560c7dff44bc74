import { expect, test } from 'vitest';
import { BUTTON_REQUESTS_PER_MINUTE, BUTTON_SESSIONS_PER_MINUTE, ButtonLimits } from './button-limits.ts';

const { network, key } = BUTTON_SESSIONS_PER_MINUTE;
const passed = (
  limits: ButtonLimits,
  count: number,
  address: (at: number) => string,
  name = 'a.key',
): number =>
  Array.from({ length: count }, (_, at) => limits.take(address(at), name, 0)).filter((wait) => wait === 0)
    .length;

test('one network has so many sessions in a minute, and keeps no other from calling', () => {
  const limits = new ButtonLimits({ rateLimit: 100, rateLimitLoopback: false });
  expect(passed(limits, 50, () => '198.51.100.7')).toBe(network);
  expect(passed(limits, 50, (at) => `2001:db8::${at}`)).toBe(network);
  expect(limits.take('203.0.113.9', 'a.key', 0)).toBe(0);
});

test('one key has so many, from however many networks, and keeps no other key from working', () => {
  const limits = new ButtonLimits({ rateLimit: 0, rateLimitLoopback: false });
  expect(passed(limits, 500, (at) => `198.51.${at >> 8}.${at & 255}`)).toBe(key);
  expect(limits.take('198.51.100.7', 'a.other', 0)).toBe(0);
  expect(limits.take('198.51.100.7', 'a.key', 60_000)).toBe(0);
});

test('a program on this machine is not limited by its address', () => {
  const limits = new ButtonLimits({ rateLimit: 100, rateLimitLoopback: false });
  expect(passed(limits, 50, () => '127.0.0.1')).toBe(50);
});

test('one network asks so often in a minute, whatever it asks for', () => {
  const limits = new ButtonLimits({ rateLimit: 100, rateLimitLoopback: false });
  const asked = (address: string): number =>
    Array.from({ length: 500 }, () => limits.takeRequest(address, 0)).filter((wait) => wait === 0).length;
  expect(asked('198.51.100.7')).toBe(BUTTON_REQUESTS_PER_MINUTE);
  expect(asked('203.0.113.9')).toBe(BUTTON_REQUESTS_PER_MINUTE);
  expect(asked('127.0.0.1')).toBe(500);
});
