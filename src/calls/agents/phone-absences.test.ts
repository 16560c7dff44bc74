import { expect, it } from 'vitest';
import { PhoneAbsences } from './phone-absences.ts';

it('an agent is without a phone since the last one went, and not since the service began to look', () => {
  const now = { hasPhone: false, ms: 1_000 };
  const absences = new PhoneAbsences(
    () => now.hasPhone,
    () => now.ms,
  );
  absences.look('a');
  expect(absences.since('a')).toBeNull();
  now.hasPhone = true;
  absences.look('a');
  now.hasPhone = false;
  now.ms = 2_000;
  absences.look('a');
  now.ms = 3_000;
  absences.look('a');
  expect(absences.since('a')).toBe(2_000);
  now.hasPhone = true;
  absences.look('a');
  expect(absences.since('a')).toBeNull();
});
