// contract.md, "POST /v1/ivr", row by row. What is stored is compared, so that both spellings are seen to be the same.

import { describe, expect, it } from 'vitest';
import { menu } from '../../../test/support/payload.ts';
import { readKind } from '../../kinds/fields.ts';
import type { Ivr } from '../../kinds/ivr.ts';
import { MAX_FAULTS, type Problem } from '../../kinds/problem.ts';

const read = (changes: Record<string, unknown> = {}) => readKind('ivr', menu(changes));
const stored = (changes: Record<string, unknown>): Ivr => {
  const ivr = read(changes);
  if ('problem' in ivr) throw new Error(ivr.message);
  return ivr;
};
const faults = (changes: Record<string, unknown>): string[] => {
  const outcome = read(changes) as Problem;
  return outcome.faults?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
};

describe('name and description', () => {
  it.each([
    ['', 'text_empty'],
    ['   ', 'text_empty'],
    ['x'.repeat(101), 'text_too_long'],
    ['a\nb', 'text_control_character'],
    ['a\u0085b', 'text_control_character'],
    ['a\0b', 'text_nul'],
    ['\ud800', 'text_surrogate'],
    [7, 'text_expected'],
    [['x'], 'text_expected'],
  ])('name %j is refused', (name, code) => expect(faults({ name })).toEqual([`/name ${code}`]));

  it('a name has up to 100 characters, counted as people do, white space at either end not counted', () => {
    expect(stored({ name: '😀'.repeat(100) }).name).toBe('😀'.repeat(100));
    expect(stored({ name: ` ${'x'.repeat(100)} ` }).name).toHaveLength(102);
    expect(faults({ name: '😀'.repeat(101) })).toEqual(['/name text_too_long']);
  });

  it('a description may be empty and have several lines, up to 1,000 characters', () => {
    expect(stored({ description: '' }).description).toBe('');
    expect(stored({ description: 'a\nb' }).description).toBe('a\nb');
    expect(faults({ description: 'x'.repeat(1001) })).toEqual(['/description text_too_long']);
    expect(faults({ description: '\0' })).toEqual(['/description text_nul']);
  });
});

describe('recordings', () => {
  it.each(['recording||a.B_9-', 'recording|a.B_9-', 'a.B_9-'])('%s is understood', (recording) => {
    expect(stored({ recording }).recording).toBe('recording||a.B_9-');
  });

  it('a number is understood as its digits', () => {
    expect(stored({ invalid_recording: 4711 }).invalid_recording).toBe('recording||4711');
  });

  it.each([
    ['extension||1', 'recording_unknown_kind'],
    ['Recording||1', 'recording_unknown_kind'],
    ['recording||', 'recording_malformed'],
    ['recording|||1', 'recording_malformed'],
    ['||1', 'recording_malformed'],
    ['', 'recording_malformed'],
    ['a b', 'recording_malformed'],
    ['x'.repeat(65), 'recording_malformed'],
    [1.5, 'recording_malformed'],
    [true, 'recording_malformed'],
  ])('%j is refused', (timeout_recording, code) => {
    expect(faults({ timeout_recording })).toEqual([`/timeout_recording ${code}`]);
  });

  it('recording_invalid is optional, and null where its value cannot be used', () => {
    expect(stored({}).recording_invalid).toBeNull();
    expect(stored({ recording_invalid: 'bye' }).recording_invalid).toBe('recording||bye');
    for (const unusable of ['', 'ivr||1', 'a b', ['1'], {}, true])
      expect(stored({ recording_invalid: unusable }).recording_invalid).toBeNull();
  });
});

describe('whether keys are hidden', () => {
  it('is said by true or false, and not wanted unless it is', () => {
    expect(stored({}).sensitive).toBe(false);
    expect(stored({ sensitive: null }).sensitive).toBe(false);
    expect(stored({ sensitive: true }).sensitive).toBe(true);
    expect(faults({ sensitive: 'yes' })).toEqual(['/sensitive value_not_allowed']);
  });
});

describe('destinations', () => {
  it.each([
    ['extension||7', 'extension||7'],
    ['extension|7', 'extension||7'],
    ['ivr||7', 'ivr||7'],
    ['department|7', 'department||7'],
  ])('%s is kept as %s', (given, kept) =>
    expect(stored({ invalid_destination: given }).invalid_destination).toBe(kept),
  );

  it('an unknown kind is refused, and the message lists those known', () => {
    const outcome = read({ destination: ['extension||1', 'pigeon||2'] }) as Problem;
    expect(outcome.faults).toMatchObject([{ pointer: '/destination/1', code: 'destination_unknown_kind' }]);
    expect(outcome.message).toContain('extension, ivr, department');
  });

  it.each(['7', 'extension||', '||7', 7, 'extension||a b', {}])('%j is malformed', (timeout_destination) => {
    expect(faults({ timeout_destination })).toEqual(['/timeout_destination destination_malformed']);
  });
});

describe('numbers', () => {
  it.each([
    ['timeout', 0, 0],
    ['timeout', '600', 600],
    ['timeout', '007', 7],
    ['timeout_tries', '20', 20],
    ['incorrect_count', 0, 0],
  ])('%s %j is kept as %j', (field, given, kept) =>
    expect(stored({ [field]: given })).toMatchObject({ [field]: kept }),
  );

  it.each([
    ['timeout', 601, 'number_out_of_range'],
    ['timeout', '601', 'number_out_of_range'],
    ['timeout', -1, 'number_out_of_range'],
    ['timeout', '-1', 'number_malformed'],
    ['timeout', 1.5, 'number_malformed'],
    ['timeout', '1.5', 'number_malformed'],
    ['timeout', '', 'number_malformed'],
    ['timeout', ' 5', 'number_malformed'],
    ['timeout', '٣', 'number_malformed'],
    ['timeout', true, 'number_malformed'],
    ['timeout', Number.POSITIVE_INFINITY, 'number_malformed'],
    ['timeout_tries', 21, 'number_out_of_range'],
    ['incorrect_count', '99999999999', 'number_malformed'],
  ])('%s %j is refused', (field, given, code) =>
    expect(faults({ [field]: given })).toEqual([`/${field} ${code}`]),
  );

  it('timeout_retries is stored without effect, and null where its value cannot be used', () => {
    for (const tries of [undefined, null])
      expect(faults({ timeout_tries: tries, timeout_retries: 4 })).toEqual(['/timeout_tries field_missing']);
    expect(stored({ timeout_tries: 1, timeout_retries: '4' })).toMatchObject({
      timeout_tries: 1,
      timeout_retries: 4,
    });
    expect(stored({ timeout_tries: 1, timeout_retries: 'junk' })).toMatchObject({ timeout_retries: null });
  });
});

describe('options', () => {
  it('numbers and text are kept as text; "01" stays "01"', () => {
    expect(stored({ option: [1, '01'] }).option).toEqual(['1', '01']);
    expect(stored({ option: ['*9#', 0] }).option).toEqual(['*9#', '0']);
  });

  it.each([['a'], [''], ['1234567'], [-1], [1.5], [null], [[1]]])('option %j is refused', (item) => {
    expect(faults({ option: ['1', item] })).toContain('/option/1 option_malformed');
  });

  it('no two are alike, also as number and text', () => {
    expect(faults({ option: [1, '1'] })).toEqual(['/option/1 option_duplicate']);
  });

  it('there are 1 to 50, and destination has as many', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => String(index));
    expect(stored({ option: fifty, destination: fifty.map(() => 'extension||1') }).option).toHaveLength(50);
    expect(faults({ option: [], destination: [] })).toEqual([
      '/option list_too_short',
      '/destination list_too_short',
    ]);
    const more = [...fifty, '51'];
    expect(faults({ option: more, destination: more.map(() => 'extension||1') })).toEqual([
      '/option list_too_long',
      '/destination list_too_long',
    ]);
    expect(faults({ option: '1' })).toEqual(['/option list_expected']);
  });

  it('different lengths are refused, naming both', () => {
    const outcome = read({ option: ['1', '2', '3'] }) as Problem;
    expect(outcome.faults).toMatchObject([{ pointer: '/destination', code: 'destination_count_differs' }]);
    expect(outcome.message).toContain('option has 3 items and destination has 2');
  });
});

describe('SMS templates', () => {
  it('are optional; "", "0", 0 and null are none; text and numbers are ids', () => {
    expect(stored({}).sms_template).toEqual([]);
    expect(stored({ option: ['1', '2'], sms_template: ['', 0] }).sms_template).toEqual([null, null]);
    expect(stored({ sms_template: ['0', null] }).sms_template).toEqual([null, null]);
    expect(stored({ sms_template: [12, 'welcome-1'] }).sms_template).toEqual(['12', 'welcome-1']);
  });

  it('there is at most one per option', () => {
    expect(faults({ sms_template: [1, 2, 3] })).toEqual(['/sms_template sms_template_too_many']);
    expect(faults({ sms_template: ['a b'] })).toEqual(['/sms_template/0 sms_template_malformed']);
  });
});

describe('the whole body', () => {
  it('missing fields are listed, all of them; null counts as missing', () => {
    const outcome = readKind('ivr', { name: null, description: 'x', option: ['1'] }) as Problem;
    expect(outcome.message).toBe(
      'Missing: name, recording, timeout, destination, incorrect_count, invalid_recording, invalid_destination, timeout_retry_recording, timeout_recording, timeout_destination, timeout_tries.',
    );
    expect(outcome.faults).toHaveLength(11);
  });

  it('all faults are reported at once, in the order of the fields', () => {
    expect(faults({ name: '', timeout: 'x', option: ['1', 'q'], timeout_tries: 99 })).toEqual([
      '/name text_empty',
      '/timeout number_malformed',
      '/option/1 option_malformed',
      '/timeout_tries number_out_of_range',
    ]);
  });

  it('unknown fields are ignored, and what we make ourselves cannot be set', () => {
    const ivr = stored({ id: 'mine', account_id: 'x', version: 9, created_at: 'x', colour: 'red' });
    expect(Object.keys(ivr)).not.toEqual(expect.arrayContaining(['id']));
    expect(ivr).toEqual(stored({}));
  });

  it('what is stored can be sent again and is stored the same', () => {
    const once = stored({
      option: [1, '#'],
      destination: ['ivr|a', 'department|b'],
      sms_template: [5],
      recording_invalid: 9,
    });
    expect(readKind('ivr', { ...once })).toEqual(once);
  });

  it(`never more than ${MAX_FAULTS} faults are collected`, () => {
    const sms = Array.from({ length: 50 }, () => 'a b');
    const option = Array.from({ length: 50 }, () => 'x');
    const destination = Array.from({ length: 50 }, () => 'x');
    expect(faults({ option, destination, sms_template: sms })).toHaveLength(MAX_FAULTS);
  });
});

describe('tests that a menu carries', () => {
  it('are kept with every member that docs/call-flow.md names, and without any other', () => {
    const test = {
      name: 'third in line',
      script: '1,wait 20s',
      at: '2026-12-24T18:00:00Z',
      caller: '+4930123',
      seed: 2,
      agents: { 'extension||7': 'busy 30s' },
      idle_since: { 'extension||7': 1766590000000 },
      last_rung: { 'department||1': 'extension||7' },
      waiting: { 'department||1': 2 },
      signed_out: { 'department||1': ['extension||8'] },
      expect: { visited: ['department||1'] },
    };
    expect(stored({ tests: [{ ...test, more: 1 }] }).tests).toEqual([test]);
  });
});
