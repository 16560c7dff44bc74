import { describe, expect, it } from 'vitest';
import type { Ask } from './ask.ts';
import { type Draft, differenceInWords, readDraft } from './difference.ts';

const change = (id: string) => ({
  kind: 'announcement',
  id,
  name: id,
  action: 'delete',
  conflict: false,
  editor: 'Asha',
  before: { name: id },
  after: null,
});

/** A draft whose pages are these: [hash, ids]. */
const pages =
  (...of: readonly (readonly [hash: string, ids: readonly string[]])[]): Ask =>
  async (_, input) => {
    const at = Number(input?.query?.['cursor'] ?? 0);
    const [hash, ids] = of[at] ?? ['', []];
    const next_cursor = at + 1 < of.length ? String(at + 1) : null;
    return { ok: true, value: { hash, data: ids.map(change), next_cursor } };
  };

describe('readDraft', () => {
  it('shows every page of a draft', async () => {
    const read = await readDraft(pages(['h', ['a', 'b']], ['h', ['c']]));
    expect(read).toMatchObject({ draft: { hash: 'h', data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] } });
    expect('draft' in read && differenceInWords(read.draft).words.split('\n')).toHaveLength(3);
  });

  it('shows nothing of a draft that changes while it is read', async () => {
    const read = await readDraft(pages(['h', ['a']], ['other', ['c']]));
    expect(read).toMatchObject({ refused: { ok: false, value: { Code: 'publish_conflict' } } });
  });

  it('gives up on a draft without an end', async () => {
    let asked = 0;
    const endless: Ask = async () => {
      asked++;
      return { ok: true, value: { hash: 'h', data: [], next_cursor: 'more' } };
    };
    expect(await readDraft(endless)).toHaveProperty('refused');
    expect(asked).toBe(50);
  });
});

type Drafted = Draft['data'][number];
const drafted = (before: object | null, after: object | null, more: Partial<Drafted> = {}): Drafted => ({
  kind: 'ivr',
  id: 'main',
  name: 'Main',
  action: before === null ? 'create' : after === null ? 'delete' : 'update',
  conflict: false,
  editor: 'Asha',
  before,
  after,
  ...more,
});
const wordsOf = (...data: Drafted[]) => differenceInWords({ hash: 'h', data });
const linesOf = (...data: Drafted[]): string[] =>
  wordsOf(...data)
    .words.split('\n')
    .slice(1);

describe('differenceInWords', () => {
  const option = Array.from({ length: 30 }, (_, at) => String(at + 10));
  const destination = option.map((keys) => `department||a-department-with-a-long-name-${keys}`);

  it('shows the one option of thirty that changed, with its key, and no other', () => {
    const changed = destination.with(25, 'number||premium');
    expect(linesOf(drafted({ option, destination }, { option, destination: changed }))).toEqual([
      '  destination, entry 26, option "35": "department||a-department-with-a-long-name-35" becomes "number||premium"',
    ]);
  });

  it('shows what is added to a list, and what is removed from it, wherever it stood', () => {
    const rules = destination.map((to, at) => ({ variable: 'tier', value: String(at), destination: to }));
    const added = { variable: 'tier', value: 'x', destination: 'number||premium' };
    const before = drafted({ rules }, { rules: rules.toSpliced(3, 0, added) }, { kind: 'switch' });
    expect(linesOf(before)).toEqual([`  rules, entry 4: ${JSON.stringify(added)} is added`]);
    const removed = drafted({ rules }, { rules: rules.toSpliced(28, 1) }, { kind: 'switch' });
    expect(linesOf(removed)).toEqual([`  rules, entry 29: ${JSON.stringify(rules[28])} is removed`]);
  });

  it('shows a long list of a new record entry by entry, to the last', () => {
    const { words, isWhole } = wordsOf(drafted(null, { option, destination }));
    expect(isWhole).toBe(true);
    for (const to of destination) expect(words).toContain(`"${to}"`);
  });

  it('says that a secret within a member is changed, and shows neither value', () => {
    const before = drafted(
      { parameters: { api_token: 'old', plan: 'a' } },
      { parameters: { api_token: 'new', plan: 'a' } },
      { kind: 'stream' },
    );
    expect(linesOf(before)).toEqual(['  parameters, api_token: a secret is changed.']);
    const created = wordsOf(drafted(null, { list: [{ pin: '1234' }] }, { kind: 'room' })).words;
    expect(created).not.toContain('1234');
  });

  it('two texts that look alike differ in words: what is not seen is escaped', () => {
    const texts = ['Sales', 'Sales\u200b', 'Sales\u3164', 'Sales\u00a0', 'Sales\u{e0041}', 'Sales\u202e'];
    const lines = texts.slice(1).map((name) => linesOf(drafted({ name: texts[0] }, { name }))[0]);
    expect(lines[0]).toBe('  name: "Sales" becomes "Sales\\u200b"');
    expect(lines[3]).toBe('  name: "Sales" becomes "Sales\\udb40\\udc41"');
    expect(new Set(lines).size).toBe(5);
    for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]+$/);
  });

  it('is not whole when a line is left out or a value is cut', () => {
    const padding = Array.from({ length: 401 }, (_, at) => drafted({ name: 'x' }, null, { id: String(at) }));
    expect(wordsOf(...padding.slice(1)).isWhole).toBe(true);
    expect(wordsOf(...padding)).toMatchObject({
      isWhole: false,
      words: expect.stringMatching(/… and 1 more lines\.$/),
    });
    expect(wordsOf(drafted({ text: 'a' }, { text: 'b'.repeat(3000) })).isWhole).toBe(true);
    expect(wordsOf(drafted({ text: 'a' }, { text: 'b'.repeat(5000) })).isWhole).toBe(false);
    const long = Array.from({ length: 30 }, (_, at) =>
      drafted({ text: 'a' }, { text: 'b'.repeat(3000) }, { id: String(at) }),
    );
    expect(wordsOf(...long).isWhole).toBe(false);
  });
});
