import { describe, expect, it } from 'vitest';
import { keyFor, menuBody } from './menu-plan.ts';

const IDS = { welcome: 'w', invalid: 'i', again: 'a', connecting: 'c' };

describe('the menu of the first steps', () => {
  it('rings the agent by every key that the built-in recording names, and in the end by none', () => {
    const body = menuBody({ name: 'Welcome', eid: '7', sounds: { kind: 'built', ids: IDS } });
    expect(body).toMatchObject({
      name: 'Welcome',
      recording: 'recording||w',
      option: ['1', '2', '0'],
      destination: ['extension||7', 'extension||7', 'extension||7'],
      invalid_recording: 'recording||i',
      timeout_retry_recording: 'recording||a',
      timeout_recording: 'recording||c',
      timeout_destination: 'extension||7',
      invalid_destination: 'extension||7',
    });
  });

  it('with a recording of one’s own has key 1 alone, and says it again to who errs', () => {
    const body = menuBody({ name: 'W', eid: '7', sounds: { kind: 'own', prompt: 'p', connecting: 'c' } });
    expect([body.option, body.recording, body.invalid_recording, body.timeout_retry_recording]).toEqual([
      ['1'],
      'recording||p',
      'recording||p',
      'recording||p',
    ]);
    expect(body.timeout_recording).toBe('recording||c');
  });
});

describe('the key for an agent', () => {
  it('is the one that leads there, or the first that is free', () => {
    expect(keyFor(['1', 2], ['extension||a', 'extension||b'], 'b')).toEqual({ keys: '2', leads: true });
    expect(keyFor(['1', 2], ['extension||a', 'extension||b'], 'c')).toEqual({ keys: '3', leads: false });
    expect(keyFor([], [], 'c')).toEqual({ keys: '1', leads: false });
  });

  it('is none where all are taken', () => {
    const all = [...'1234567890*#'];
    expect(
      keyFor(
        all,
        all.map(() => 'hangup||now'),
        'c',
      ).keys,
    ).toBe('');
  });
});
