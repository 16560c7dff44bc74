import { describe, expect, it } from 'vitest';
import { lostIn, type MenuCounts, paintsOf, rankLosses, withUnused } from './menu-paint.ts';

const NOWHERE = {
  prompt: 0,
  waiting: 0,
  collecting: 0,
  retrying: 0,
  closing: 0,
  queue: 0,
  ringing: 0,
  elsewhere: 0,
};

function counts(ivr: string, changes: Partial<MenuCounts> = {}): MenuCounts {
  return {
    ivr,
    visits: 10,
    chosen: 7,
    options: { '1': 2, '2': 5 },
    invalid: 1,
    invalid_rate: 0.1,
    invalid_final: 0,
    timeouts: 2,
    timeout_rate: 0.2,
    timeout_final: 1,
    abandoned: 2,
    abandoned_rate: 0.2,
    abandoned_at: { ...NOWHERE, prompt: 2 },
    cut: 0,
    typed_ahead: 0,
    time_to_key: { count: 7, average_ms: 1000, p50_ms: 1000, p90_ms: 2000 },
    ...changes,
  };
}

const answer = (...data: MenuCounts[]) => ({ from: '', to: '', timezone: 'UTC', data, left_off: 0 });

describe('the paint of a menu', () => {
  it('has rates and each option with its share of the visits, most chosen first', () => {
    expect(paintsOf(answer(counts('main'))).get('ivr||main')).toEqual({
      visits: 10,
      abandoned: 2,
      dropOffRate: 0.2,
      invalid: 1,
      invalidRate: 0.1,
      timeouts: 2,
      timeoutRate: 0.2,
      options: [
        { keys: '2', count: 5, share: 0.5 },
        { keys: '1', count: 2, share: 0.2 },
      ],
    });
  });

  it('unused options follow the chosen ones, each once', () => {
    const options = [{ keys: '2', count: 5, share: 0.5 }];
    expect(withUnused(options, ['1', '2', '9', '9']).map(({ keys, count }) => [keys, count])).toEqual([
      ['2', 5],
      ['1', 0],
      ['9', 0],
    ]);
    const hidden = [{ keys: '••••', count: 5, share: 0.5 }];
    expect(withUnused(hidden, ['4711', '0815'])).toEqual(hidden);
  });
});

describe('where callers get lost', () => {
  it('is ranked by callers, over all menus and all ways of getting lost', () => {
    const losses = rankLosses(
      answer(
        counts('main', { abandoned_at: { ...NOWHERE, prompt: 2, queue: 4 } }),
        counts('shop', { visits: 4, timeout_final: 0, invalid_final: 2, abandoned_at: NOWHERE }),
      ),
    );
    expect(losses.map(({ ivr, kind, count, share }) => [ivr, kind, count, share])).toEqual([
      ['main', 'queue', 4, 0.4],
      ['shop', 'wrong', 2, 0.5],
      ['main', 'prompt', 2, 0.2],
      ['main', 'silence', 1, 0.1],
    ]);
  });

  it('stops at the limit, and is empty if no caller got lost', () => {
    const many = Array.from({ length: 20 }, (_, index) => counts(`m${index}`));
    expect(rankLosses(answer(...many), 3)).toHaveLength(3);
    expect(rankLosses(answer(counts('x', { timeout_final: 0, abandoned_at: NOWHERE })))).toEqual([]);
  });

  it('those whom a menu lost hung up in it or were given up by it', () => {
    expect(lostIn(counts('main', { invalid_final: 3 }))).toBe(6);
  });
});
