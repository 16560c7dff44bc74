import { describe, expect, it } from 'vitest';
import { differencesOf } from './difference.ts';
import { addOption, emptyDraft, type IvrDraft, removeOption, withOption } from './draft.ts';

const MAIN: IvrDraft = {
  ...['1', '2', '10'].reduce(addOption, emptyDraft()),
  name: 'Main',
  recording: 'recording||welcome',
  tests: [{ name: 'one', script: '1' }],
};
const BEFORE = withOption(withOption(MAIN, 0, { destination: 'extension||7' }), 1, {
  destination: 'ivr||sub',
});

describe('the difference of two versions', () => {
  it('is nothing between a menu and itself, in whatever order its options stand', () => {
    expect(differencesOf(BEFORE, BEFORE)).toEqual([]);
    expect(differencesOf(BEFORE, { ...BEFORE, options: BEFORE.options.toReversed() })).toEqual([]);
  });

  it('names each field with what it was and is', () => {
    const after = {
      ...BEFORE,
      name: 'Day',
      timeout: 8,
      timeout_destination: 'hangup||now',
      record_calls: true,
      sensitive: true,
    };
    expect(differencesOf(BEFORE, { ...after, recording_invalid: 'recording||x' })).toEqual([
      { what: 'text', field: 'name', from: 'Main', to: 'Day' },
      { what: 'recording', field: 'recording_invalid', from: '', to: 'recording||x' },
      { what: 'destination', field: 'timeout_destination', from: '', to: 'hangup||now' },
      { what: 'count', field: 'timeout', from: 5, to: 8 },
      { what: 'record-calls', to: true },
      { what: 'sensitive', to: true },
    ]);
  });

  it('reports keys that were added, removed or lead elsewhere', () => {
    const after = addOption(withOption(removeOption(BEFORE, 1), 0, { destination: 'extension||8' }), '5');
    expect(differencesOf(BEFORE, withOption(after, 2, { destination: 'extension||9' }))).toMatchObject([
      { what: 'option-removed', option: { keys: '2' } },
      {
        what: 'option-changed',
        keys: '1',
        parts: [{ part: 'destination', from: 'extension||7', to: 'extension||8' }],
      },
      { what: 'option-added', option: { keys: '5', destination: 'extension||9' } },
    ]);
  });

  it('reports a moved key as one difference', () => {
    expect(differencesOf(BEFORE, withOption(BEFORE, 1, { keys: '3' }))).toEqual([
      { what: 'option-moved', from: '2', to: '3' },
    ]);
  });

  it('reports tests by their names', () => {
    const after = { ...BEFORE, tests: [{ name: 'one', script: '2' }, { name: 'two' }] };
    expect(differencesOf(BEFORE, after)).toEqual([
      { what: 'test-changed', name: 'one' },
      { what: 'test-added', name: 'two' },
    ]);
    expect(differencesOf(after, { ...after, tests: [] })).toEqual([
      { what: 'test-removed', name: 'one' },
      { what: 'test-removed', name: 'two' },
    ]);
  });
});
