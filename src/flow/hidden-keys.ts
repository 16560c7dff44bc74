// Keys that are never shown or stored: those of conference rooms, which are PINs, and of menus that are marked
// sensitive, where callers give a PIN or the number of a card. The
// machine works with the keys themselves; whatever it says of them shows one sign for each (T35).

import type { CallState, Phase, PhaseName } from './call-state.ts';
import type { Flow } from './flow.ts';
import type { RoomNode } from './node.ts';

/** In place of a key; no telephone has it, as it has the star. */
export const HIDDEN_KEY = '•';

export const hidden = (keys: string): string => HIDDEN_KEY.repeat(keys.length);

/** Keys of a conversation belong to it and may be a PIN: they are neither noted nor kept. */
export const isConversation = (phase: Phase): phase is Extract<Phase, { name: 'connected' | 'in-room' }> =>
  phase.name === 'connected' || phase.name === 'in-room';

/** In which keys are kept for the next menu or mean nothing, and a sensitive menu may come next. */
const BEFORE_A_MENU: ReadonlySet<PhaseName> = new Set([
  'announcing',
  'closing',
  'requesting',
  'streaming',
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

const hasPin = ({ pin, hostPin }: RoomNode): boolean => pin !== null || hostPin !== null;

/** Asked when a key is typed ahead, which few are; looked for once in each snapshot. */
const found = new WeakMap<Flow['nodes'], boolean>();

function hasSensitiveMenu(nodes: Flow['nodes']): boolean {
  const known = found.get(nodes);
  if (known !== undefined) return known;
  const has = [...nodes.values()].some(
    (node) =>
      ((node.kind === 'menu' || node.kind === 'collect') && node.sensitive === true) ||
      (node.kind === 'room' && hasPin(node)),
  );
  found.set(nodes, has);
  return has;
}
