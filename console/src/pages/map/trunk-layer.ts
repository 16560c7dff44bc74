// Trunks on the map: where calls come in, which numbers they bring, which external numbers leave by them, and whether they work now.
// Loaded where an account has one. The rules are those that calls follow (src/domain/trunk.ts).
import { Numbering } from '../../../../src/domain/numbering.ts';
import { bringsTo, routeOut } from '../../../../src/domain/trunk.ts';
import { client } from '../../data/client.ts';
import type { LiveTrunk } from '../../data/live-state.ts';
import type { Words } from '../../words/words.tsx';
import { reasonOf, trunkNow } from '../trunks/trunk-now.ts';
import { type AddTrunks, type NodeId, node, type Way } from './graph.ts';
import type { MapRecords, TrunkRecord } from './map-records.ts';
import type { NodeMark, Overlay } from './overlays/overlay.ts';
import { markOf } from './overlays/states.ts';

/** Lines to more numbers than this would cover the map: the row says that it is all of them. */
export const MOST_LINES = 24;

export interface TrunkLayer {
  readonly addTrunks: AddTrunks;
  readonly states: (
    trunks: readonly TrunkRecord[],
    live: ReadonlyMap<string, LiveTrunk>,
    t: Words['t'],
  ) => Overlay;
}

export async function readTrunkLayer(signal: AbortSignal): Promise<TrunkLayer> {
  const { country, area_code } = await client.getSettings({ signal });
  const numbering = new Numbering({ country: country ?? '', area_code: area_code ?? '' });
  return { addTrunks: trunkAdder(numbering), states: trunkStates };
}

const inOf = (id: string): NodeId => `trunk||${id}`;
const outOf = (id: string): NodeId => `out||${id}`;

export function trunkAdder(numbering: Numbering): AddTrunks {
  return (byId, { trunk: trunks, number: numbers }) => {
    const ways = trunks.map((data) => ({ id: data.id, data }));
    for (const outside of [...byId.values()].filter(({ kind }) => kind === 'outside')) {
      const route = routeOut(ways, outside.name, numbering);
      outside.ways = [
        row('leaves', route ? [outOf(route.trunkId)] : [], route ? null : 'unserved', '/outbound_prefixes'),
      ];
      const trunk = route && trunks.find(({ id }) => id === route.trunkId);
      if (trunk) byId.set(outOf(trunk.id), node('trunk', outOf(trunk.id), trunk.name, trunk.host, []));
    }
    for (const trunk of trunks) {
      const inbound = inboundRow(trunk, numbers, numbering);
      byId.set(inOf(trunk.id), node('trunk', inOf(trunk.id), trunk.name, trunk.host, inbound));
    }
  };
}

/** No row: it takes no calls in. */
function inboundRow(trunk: TrunkRecord, numbers: MapRecords['number'], numbering: Numbering): Way[] {
  const isKnown = (trunk.addresses?.length ?? 0) > 0 || trunk.inbound_by_registration;
  if (!trunk.enabled || !isKnown) return [];
  const brought = numbers.filter(({ number }) => bringsTo(trunk, number, numbering));
  const isAll = brought.length === numbers.length && numbers.length > MOST_LINES;
  const to = isAll ? [] : brought.map(({ id }) => `dialled||${id}`);
  return [row('inbound', to, isAll ? 'all' : to.length === 0 ? 'none' : null, '/inbound_numbers')];
}

const row = (reason: Way['reason'], to: readonly NodeId[], ends: Way['ends'], pointer: string): Way => ({
  reason,
  keys: '',
  pointer,
  to,
  ends,
});

/** At both ends of each trunk: registered, or why not. */
export function trunkStates(
  trunks: readonly TrunkRecord[],
  live: ReadonlyMap<string, LiveTrunk>,
  t: Words['t'],
): Overlay {
  const overlay = new Map<NodeId, NodeMark>();
  for (const trunk of trunks) {
    const state = live.get(trunk.id);
    const { tone, label } = trunkNow(trunk, state);
    const problem = trunk.enabled ? (state?.problem ?? null) : null;
    const reason = problem === null ? null : reasonOf(problem);
    const why = reason ? t(reason.key, reason.values) : problem;
    const text = why === null ? t(label) : `${t(label)}: ${why}`;
    const mark = markOf(tone === 'neutral' ? 'info' : tone, text);
    overlay.set(inOf(trunk.id), mark);
    overlay.set(outOf(trunk.id), mark);
  }
  return overlay;
}
