// What callers did in a menu, for the map's overlay, and where they got lost, ranked.
import type { Operations } from '../../../../client/operations.ts';
import { HIDDEN_KEY } from '../../../../src/flow/hidden-keys.ts';

export type MenusStatistics = Operations['listIvrStatistics']['answer'];
export type MenuCounts = MenusStatistics['data'][number];

export interface OptionPaint {
  readonly keys: string;
  readonly count: number;
  /** The share of the menu's visits, 0 to 1. */
  readonly share: number;
}

export interface MenuPaint {
  readonly visits: number;
  /** Visits during which the caller hung up. */
  readonly abandoned: number;
  /** Rates are 0 to 1; null where there is nothing to divide by. */
  readonly dropOffRate: number | null;
  readonly invalid: number;
  readonly invalidRate: number | null;
  readonly timeouts: number;
  readonly timeoutRate: number | null;
  /** Most chosen first. */
  readonly options: readonly OptionPaint[];
}

export function paintOf(menu: MenuCounts): MenuPaint {
  return {
    visits: menu.visits,
    abandoned: menu.abandoned,
    dropOffRate: menu.abandoned_rate,
    invalid: menu.invalid,
    invalidRate: menu.invalid_rate,
    timeouts: menu.timeouts,
    timeoutRate: menu.timeout_rate,
    options: Object.entries(menu.options)
      .map(([keys, count]) => ({ keys, count, share: menu.visits === 0 ? 0 : count / menu.visits }))
      .sort((a, b) => b.count - a.count || (a.keys < b.keys ? -1 : 1)),
  };
}

/** By reference, such as `ivr||main`. */
export function paintsOf(answer: MenusStatistics): ReadonlyMap<string, MenuPaint> {
  return new Map(answer.data.map((menu) => [`ivr||${menu.ivr}`, paintOf(menu)]));
}

/** The menu's options beside the chosen ones: unused options are listed too, unless the menu is sensitive. */
export function withUnused(
  options: readonly OptionPaint[],
  offered: readonly string[],
): readonly OptionPaint[] {
  if (options.some(({ keys }) => keys.startsWith(HIDDEN_KEY))) return options;
  const chosen = new Set(options.map(({ keys }) => keys));
  const unused = [...new Set(offered)].filter((keys) => !chosen.has(keys));
  return [...options, ...unused.map((keys) => ({ keys, count: 0, share: 0 }))];
}

/** Ways in which a menu loses callers. */
export const LOSSES = [
  'prompt',
  'waiting',
  'collecting',
  'retrying',
  'closing',
  'wrong',
  'silence',
  'queue',
  'ringing',
] as const;
export type LossKind = (typeof LOSSES)[number];

export interface Loss {
  readonly ivr: string;
  readonly kind: LossKind;
  readonly count: number;
  readonly visits: number;
  readonly share: number;
}

function lossesOf(menu: MenuCounts): Loss[] {
  const at = menu.abandoned_at;
  const counts: Readonly<Record<LossKind, number>> = {
    prompt: at.prompt,
    waiting: at.waiting,
    collecting: at.collecting,
    retrying: at.retrying,
    closing: at.closing,
    wrong: menu.invalid_final,
    silence: menu.timeout_final,
    queue: at.queue,
    ringing: at.ringing,
  };
  return LOSSES.filter((kind) => counts[kind] > 0).map((kind) => ({
    ivr: menu.ivr,
    kind,
    count: counts[kind],
    visits: menu.visits,
    share: menu.visits === 0 ? 0 : counts[kind] / menu.visits,
  }));
}

/** Sorted by lost callers, then by their share of the visits. */
export function rankLosses(answer: MenusStatistics, most = 8): readonly Loss[] {
  return answer.data
    .flatMap(lossesOf)
    .sort((a, b) => b.count - a.count || b.share - a.share || (a.ivr < b.ivr ? -1 : 1))
    .slice(0, most);
}

/** Callers who did not pass the menu: they hung up in it, or its retries ran out. */
export function lostIn(menu: MenuCounts): number {
  return menu.abandoned + menu.invalid_final + menu.timeout_final;
}
