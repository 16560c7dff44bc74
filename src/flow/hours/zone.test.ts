// Each test loads the module anew: what a former test left in its cache must not answer.
import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
});

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 6, 5, 12);

test('the clock of a zone that was never asked for shows its digits', async () => {
  const { isKnownZone, offsetMs } = await import('./zone.ts');
  expect(offsetMs('Asia/Kathmandu', NOON)).toBe(5.75 * HOUR);
  expect(offsetMs('America/St_Johns', NOON + 1)).toBe(-2.5 * HOUR);
  expect(offsetMs('Pacific/Kiritimati', Date.UTC(2026, 11, 31, 23, 59, 59))).toBe(14 * HOUR);
  expect(isKnownZone('Europe/Paris')).toBe(true);
  expect(isKnownZone('Europe/Atlantis')).toBe(false);
});

test('the formatter of a zone is made once; the cache holds a thousand and then begins anew', async () => {
  const { isKnownZone } = await import('./zone.ts');
  const { DateTimeFormat } = Intl;
  let made = 0;
  class Counted extends DateTimeFormat {
    constructor(...parameters: ConstructorParameters<typeof DateTimeFormat>) {
      super(...parameters);
      made += 1;
    }
  }
  Reflect.set(Intl, 'DateTimeFormat', Counted);
  try {
    // The platform takes a name in any mixture of cases.
    const bit = (at: number) => (at < 'europe'.length ? at : at - 1);
    const zones = Array.from({ length: 1_001 }, (_, index) =>
      [...'europe/paris']
        .map((letter, at) => ((index >> bit(at)) & 1 ? letter.toUpperCase() : letter))
        .join(''),
    );
    const last = zones.pop() ?? '';
    const ask = (...names: readonly string[]): number => {
      for (const name of names) isKnownZone(name);
      return made;
    };
    expect(ask(...zones)).toBe(1_000);
    expect(ask(...zones)).toBe(1_000);
    expect(ask(last, last)).toBe(1_001);
    expect(ask(zones[0] ?? '')).toBe(1_002);
  } finally {
    Reflect.set(Intl, 'DateTimeFormat', DateTimeFormat);
  }
});
