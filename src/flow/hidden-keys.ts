// Keys that are never shown or stored: those of menus that are marked sensitive, where callers give a PIN or the number of a card. The
// machine works with the keys themselves; whatever it says of them shows one sign for each (T35).

import type { CallState, PhaseName } from './call-state.ts';
import type { Flow } from './flow.ts';

/** In place of a key; no telephone has it, as it has the star. */
export const HIDDEN_KEY = '•';

export const hidden = (keys: string): string => HIDDEN_KEY.repeat(keys.length);

/** In which keys are kept for the next menu or mean nothing, and a sensitive menu may come next. */
const BEFORE_A_MENU: ReadonlySet<PhaseName> = new Set([
  'announcing',
  'closing',
  'looking-up',
  'joining',
  'ringing',
]);

export function hidesKeys(flow: Flow, { phase, sensitive }: Pick<CallState, 'phase' | 'sensitive'>): boolean {
  return (sensitive && !flow.settings.showsKeys) || (BEFORE_A_MENU.has(phase.name) && hidesKeysAhead(flow));
}

/** Keys that are typed ahead may run through several menus: one of them may be sensitive. */
export function hidesKeysAhead(flow: Flow): boolean {
  return !flow.settings.showsKeys && hasSensitiveMenu(flow.nodes);
}

/** Asked when a key is typed ahead, which few are; looked for once in each snapshot. */
const found = new WeakMap<Flow['nodes'], boolean>();

function hasSensitiveMenu(nodes: Flow['nodes']): boolean {
  const known = found.get(nodes);
  if (known !== undefined) return known;
  const has = [...nodes.values()].some((node) => node.kind === 'menu' && node.sensitive === true);
  found.set(nodes, has);
  return has;
}
