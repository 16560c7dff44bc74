import { describe, expect, it } from 'vitest';
import { base32, codeAt, fromBase32, matchingStep, stepAt, totpUri } from './totp.ts';

/** RFC 6238, appendix B: the ASCII secret of the SHA-1 rows. */
const SECRET = base32(Buffer.from('12345678901234567890'));

describe('RFC 6238', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d s the code ends with %s', (seconds, code) => {
    expect(codeAt(SECRET, stepAt(seconds * 1000))).toBe(code);
  });

  it('secrets survive base32, whatever their length', () => {
    for (const text of ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'])
      expect(fromBase32(base32(Buffer.from(text))).toString()).toBe(text);
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  });
});

describe('a code', () => {
  const nowMs = 1_234_567_890_000;
  const step = stepAt(nowMs);

  it('of the step before or after is right, further ones are not', () => {
    for (const drift of [-1, 0, 1])
      expect(matchingStep(SECRET, codeAt(SECRET, step + drift), nowMs, 0)).toBe(step + drift);
    for (const drift of [-2, 2])
      expect(matchingStep(SECRET, codeAt(SECRET, step + drift), nowMs, 0)).toBeNull();
  });

  it('works once: a step that was used, and those before, are spent', () => {
    expect(matchingStep(SECRET, codeAt(SECRET, step), nowMs, step)).toBeNull();
    expect(matchingStep(SECRET, codeAt(SECRET, step - 1), nowMs, step)).toBeNull();
    expect(matchingStep(SECRET, codeAt(SECRET, step + 1), nowMs, step)).toBe(step + 1);
  });

  it.each(['', '12345', '1234567', 'abcdef'])('"%s" is wrong', (code) => {
    expect(matchingStep(SECRET, code, nowMs, 0)).toBeNull();
  });

  it('may be typed with a space', () => {
    const code = codeAt(SECRET, step);
    expect(matchingStep(SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, nowMs, 0)).toBe(step);
  });
});

it('the address for apps names service and user, and escapes both', () => {
  expect(totpUri('ABC', 'a@b.example', 'Müller & Co')).toBe(
    'otpauth://totp/Dialtree%20M%C3%BCller%20%26%20Co:a%40b.example?secret=ABC&issuer=Dialtree+M%C3%BCller+%26+Co',
  );
});
