import { describe, expect, it } from 'vitest';
import {
  type DraftStorage,
  dropDraft,
  forgetDrafts,
  KEPT_MS,
  keepDraft,
  MAX_CHARS,
  MOST_DRAFTS,
  readDraft,
} from './drafts.ts';

function memory(): DraftStorage & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    key: (index) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size;
    },
  };
}

const FRESH = { name: '', seconds: 5 as number | null, agents: [] as string[], password: '' };

describe('drafts of forms', () => {
  it('returns what was kept, with the record that it was about', () => {
    const storage = memory();
    const draft = { name: 'Two', agents: ['x'] };
    keepDraft<typeof draft>(storage, 'a.team.1', { base: { name: 'One' }, draft }, 1_000);
    expect(readDraft(storage, 'a.team.1', FRESH, 2_000)).toEqual({
      atMs: 1_000,
      base: { name: 'One' },
      draft: { name: 'Two', agents: ['x'] },
    });
    expect(readDraft(storage, 'b.team.1', FRESH, 2_000)).toBeNull();
    dropDraft(storage, 'a.team.1');
    expect(storage.entries.size).toBe(0);
  });

  it('never keeps a secret', () => {
    const storage = memory();
    const draft = { name: 'T', password: 'hunter2', host_pin: '4711', rules: [{ secret: 'deep', to: '1' }] };
    keepDraft(storage, 'a.trunk.new', { base: draft, draft }, 0);
    expect([...storage.entries.values()].join()).not.toMatch(/hunter2|4711|deep/);
  });

  it('is bounded in number, size and age', () => {
    const storage = memory();
    for (let index = 0; index < MOST_DRAFTS + 5; index += 1)
      keepDraft(storage, `a.team.${index}`, { base: {}, draft: { name: 'x' } }, index);
    expect(storage.entries.size).toBe(MOST_DRAFTS);
    expect(readDraft(storage, 'a.team.0', FRESH, 100)).toBeNull();
    expect(readDraft(storage, `a.team.${MOST_DRAFTS}`, FRESH, 100)).not.toBeNull();
    keepDraft(storage, 'a.team.large', { base: {}, draft: { name: 'x'.repeat(MAX_CHARS) } }, 100);
    expect(readDraft(storage, 'a.team.large', FRESH, 100)).toBeNull();
    expect(readDraft(storage, `a.team.${MOST_DRAFTS}`, FRESH, KEPT_MS + 1_000)).toBeNull();
    keepDraft(storage, 'a.team.late', { base: {}, draft: { name: 'x' } }, 2 * KEPT_MS);
    expect(storage.entries.size).toBe(1);
  });

  it('leaves out what has another shape, and survives what is no draft', () => {
    const storage = memory();
    const odd = { name: 7, seconds: null, agents: 'all', unknown: 1, password: 'x' };
    storage.setItem('dialtree.draft.a', JSON.stringify({ atMs: 1, base: {}, draft: odd }));
    expect(readDraft(storage, 'a', FRESH, 2)?.draft).toEqual({ seconds: null, password: 'x' });
    for (const text of ['', '[]', '{"atMs":1}', 'null', '{"atMs":"x","base":{},"draft":{}}']) {
      storage.setItem('dialtree.draft.a', text);
      expect(readDraft(storage, 'a', FRESH, 2)).toBeNull();
    }
  });

  it('forgets all drafts, and nothing else', () => {
    const storage = memory();
    storage.setItem('dialtree.language', 'hi');
    keepDraft(storage, 'a.team.1', { base: {}, draft: {} }, 0);
    forgetDrafts(storage);
    expect([...storage.entries.keys()]).toEqual(['dialtree.language']);
  });
});
