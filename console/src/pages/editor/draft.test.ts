import { describe, expect, it } from 'vitest';
import type { Ivr } from '../../../../src/kinds/ivr.ts';
import {
  addOption,
  bodyOf,
  draftOf,
  emptyDraft,
  gapsOf,
  isSame,
  ivrOf,
  removeOption,
  valueAt,
  withGreeting,
  withOption,
} from './draft.ts';

const MAIN: Ivr = {
  name: 'Main menu',
  description: 'For everybody',
  recording: 'recording||welcome',
  text: null,
  timeout: 5,
  option: ['1', '2', '10'],
  destination: ['extension||7', 'department||sales', 'ivr||sub'],
  incorrect_count: 2,
  invalid_recording: 'recording||wrong',
  invalid_destination: 'extension||7',
  timeout_retry_recording: 'recording||still',
  timeout_recording: 'recording||bye',
  timeout_destination: 'hangup||now',
  timeout_tries: 1,
  timeout_retries: 3,
  recording_invalid: null,
  sms_template: [null, 'hello'],
  record_calls: true,
  sensitive: true,
  webhook: ['webhook||1'],
  option_priority: [null, 5],
  tests: [{ name: 'one', expect: { outcome: 'connected' } }],
};

describe('a draft', () => {
  it('gives back the menu it was made from', () => {
    expect(ivrOf(draftOf(MAIN))).toEqual(MAIN);
    expect(bodyOf(draftOf(MAIN))).toEqual(MAIN);
  });

  it('holds what belongs to a key together', () => {
    expect(draftOf(MAIN).options[1]).toEqual({
      keys: '2',
      destination: 'department||sales',
      sms_template: 'hello',
      webhook: null,
      priority: 5,
    });
  });

  it('keeps what belongs to a key with it when another key goes', () => {
    const draft = removeOption(draftOf(MAIN), 0);
    expect(bodyOf(draft)).toMatchObject({ option: ['2', '10'], sms_template: ['hello'], webhook: [] });
  });

  it('sends gaps as null, so that the service names them all', () => {
    const body = bodyOf(addOption(emptyDraft(), '1'));
    expect(body).toMatchObject({ name: null, recording: null, timeout_destination: null, description: '' });
    expect(body).toMatchObject({ option: ['1'], destination: [''], recording_invalid: null, timeout: 5 });
  });

  it('takes each key once, and no more than the service does', () => {
    const draft = addOption(draftOf(MAIN), '1');
    expect(draft.options).toHaveLength(3);
    let many = emptyDraft();
    for (let key = 0; key < 60; key += 1) many = addOption(many, String(key));
    expect(many.options).toHaveLength(50);
  });

  it('names what is still to be chosen, in the order of the page', () => {
    expect(gapsOf(draftOf(MAIN))).toEqual([]);
    const gaps = gapsOf(addOption(emptyDraft(), '5'));
    expect(gaps).toEqual(['/name', '/destination/0']);
    expect(gapsOf(emptyDraft())).toContain('/option');
    expect(gapsOf({ ...draftOf(MAIN), timeout: null })).toEqual(['/timeout']);
  });

  it('has the greeting where no prompt is chosen, and leaves alone what is', () => {
    expect(withGreeting(emptyDraft())).toEqual(emptyDraft());
    const draft = { ...emptyDraft(), recording: 'recording||hello', timeout_recording: 'recording||bye' };
    expect(withGreeting(draft)).toMatchObject({
      invalid_recording: 'recording||hello',
      recording_invalid: '',
      timeout_retry_recording: 'recording||hello',
      timeout_recording: 'recording||bye',
    });
  });

  it('gives what a pointer means', () => {
    const draft = draftOf(MAIN);
    expect(valueAt(draft, '/destination/1')).toBe('department||sales');
    expect(valueAt(draft, '/timeout')).toBe(5);
    expect(valueAt(draft, '/recording_invalid')).toBeNull();
    expect(valueAt(draft, '/webhook/2')).toBeUndefined();
  });

  it('is the same as another with the same content', () => {
    const draft = draftOf(MAIN);
    expect(isSame(draft, draftOf({ ...MAIN, sms_template: [null, 'hello', null] }))).toBe(true);
    expect(isSame(draft, withOption(draft, 0, { destination: 'extension||8' }))).toBe(false);
  });
});
