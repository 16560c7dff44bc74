// What the wallboard shows, from records, the live state and the figures of the day. Without React.
import {
  type Level,
  levelAbove,
  levelBelow,
  type WallboardThresholds,
} from '../../../../src/domain/wallboard.ts';
import type { Live, LiveAgent, LiveCall, ShownState } from '../../data/live-state.ts';

export interface Department {
  readonly id: string;
  readonly name: string;
  readonly agents: readonly string[];
  /** Whether callers may wait. */
  readonly queue: boolean;
}

/** The figures of calls that began today and are over. */
export interface DayFigures {
  readonly calls: number;
  readonly answered: number;
  readonly abandoned: number;
  /** 0 to 1; null: no call yet. */
  readonly service_level: number | null;
}

export interface QueueCard {
  readonly id: string;
  readonly name: string;
  readonly waiting: number;
  /** When the caller who waits longest came; null: nobody waits. */
  readonly longestSince: string | null;
  /** Null if not known. */
  readonly day: DayFigures | null;
  /** Not rounded; null: no caller yet, or not known. */
  readonly abandonedPercent: number | null;
  readonly states: ReadonlyMap<ShownState, number>;
}

const NO_CALLS: DayFigures = { calls: 0, answered: 0, abandoned: 0, service_level: null };

/** A department without a queue is left out, unless it had calls today. `today` is null: not known. */
export function queueCards(
  departments: readonly Department[],
  { queues, agents }: Pick<Live, 'queues' | 'agents'>,
  today: ReadonlyMap<string, DayFigures> | null,
): QueueCard[] {
  return departments
    .filter(({ id, queue }) => queue || queues.has(id) || (today?.get(id)?.calls ?? 0) > 0)
    .map(({ id, name, agents: eids }) => {
      const { waiting = 0, longest_since: longestSince = null } = queues.get(id) ?? {};
      const day = today && (today.get(id) ?? NO_CALLS);
      const abandonedPercent = day === null || day.calls === 0 ? null : (100 * day.abandoned) / day.calls;
      const states = new Map<ShownState, number>();
      for (const eid of eids) {
        const agent = agents.get(eid);
        if (!agent || agent.signed_out.includes(id)) continue;
        states.set(agent.state, (states.get(agent.state) ?? 0) + 1);
      }
      return { id, name, waiting, longestSince, day, abandonedPercent, states };
    });
}

export interface CardLevels {
  readonly waiting: Level;
  readonly wait: Level;
  readonly serviceLevel: Level;
  readonly abandoned: Level;
}

export function levelsOf(card: QueueCard, limits: WallboardThresholds, nowMs: number): CardLevels {
  const { waiting, longestSince, day, abandonedPercent } = card;
  const serviceLevel = day?.service_level ?? null;
  const waitS = longestSince === null ? 0 : (nowMs - new Date(longestSince).getTime()) / 1000;
  return {
    waiting: levelAbove(waiting, limits.waiting_warning, limits.waiting_critical),
    wait: levelAbove(waitS, limits.wait_warning_seconds, limits.wait_critical_seconds),
    serviceLevel:
      serviceLevel === null
        ? 'normal'
        : levelBelow(100 * serviceLevel, limits.service_level_warning, limits.service_level_critical),
    abandoned:
      abandonedPercent === null
        ? 'normal'
        : levelAbove(abandonedPercent, limits.abandoned_warning, limits.abandoned_critical),
  };
}

export interface CallGroup {
  /** The id of a department; null: calls of none. */
  readonly department: string | null;
  readonly calls: readonly LiveCall[];
}

export const CALL_FILTERS = ['all', 'waiting', 'talking', 'other'] as const;
export type CallFilter = (typeof CALL_FILTERS)[number];

const kindOf = ({ state }: LiveCall): CallFilter => {
  if (state === 'queue' || state === 'ringing') return 'waiting';
  return state === 'connected' || state === 'room' ? 'talking' : 'other';
};

export interface CallChoice {
  readonly kind: CallFilter;
  /** The id of a department, or '' for all. */
  readonly department: string;
  /** Part of the number or name of the caller, or of the dialled number. */
  readonly text: string;
}

export const ALL_CALLS: CallChoice = { kind: 'all', department: '', text: '' };

/** In the order of the departments, the calls of none last; in each group the oldest first. Empty groups are left out. */
export function callGroups(
  calls: readonly LiveCall[],
  order: readonly Pick<Department, 'id'>[],
  { kind, department, text }: CallChoice,
): CallGroup[] {
  const needle = text.trim().toLowerCase();
  const groups = new Map<string | null, LiveCall[]>();
  for (const call of calls) {
    const { department: of } = call;
    if (department !== '' && of !== department) continue;
    if (kind !== 'all' && kindOf(call) !== kind) continue;
    const words = `${call.caller ?? ''} ${call.caller_name} ${call.dialled}`.toLowerCase();
    if (!words.includes(needle)) continue;
    const group = groups.get(of);
    if (group) group.push(call);
    else groups.set(of, [call]);
  }
  const places = new Map(order.map(({ id }, index) => [id, index]));
  const place = (of: string | null): number =>
    of === null ? Number.POSITIVE_INFINITY : (places.get(of) ?? places.size);
  return [...groups]
    .map(([of, group]) => ({ department: of, calls: group }))
    .sort((one, other) => (place(one.department) < place(other.department) ? -1 : 1));
}

/** In the order in which a supervisor looks for them. */
export const BOARD_STATES = [
  'free',
  'unknown',
  'ringing',
  'talking',
  'wrap_up',
  'paused',
  'unreachable',
  'blocked',
  'off_duty',
] as const satisfies readonly ShownState[];

/** By state, in each the longest first. */
export function agentsByState(
  agents: Live['agents'],
  eids: ReadonlySet<string>,
): readonly { readonly state: ShownState; readonly agents: readonly LiveAgent[] }[] {
  const since = ({ since: at }: LiveAgent): string => at ?? '9';
  return BOARD_STATES.map((state) => ({
    state,
    agents: [...agents.values()]
      .filter((agent) => eids.has(agent.eid) && agent.state === state)
      .sort((one, other) => (since(one) < since(other) ? -1 : 1)),
  })).filter((group) => group.agents.length > 0);
}
