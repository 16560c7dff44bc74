// Applies live events to the list of calls. The API's list is authoritative; events are applied until it is read again.
import type { LiveCall as ShownCall } from '../../../../client/operations.ts';

export type LiveCall = ShownCall;

export interface LiveEvent {
  readonly type: string;
  readonly at: string;
  readonly call: Pick<LiveCall, 'id'> & Partial<LiveCall>;
  readonly node?: string | null;
  readonly destination?: string;
  readonly keys?: string;
  readonly text?: string;
}

/** Null: an unknown event, as of a later version of the service. */
export function eventOf(data: string): LiveEvent | null {
  try {
    const { type, timestamp, data: more } = JSON.parse(data) as { [member: string]: unknown };
    const read = { ...(more as object), type, at: timestamp };
    return isCallEvent(read) ? read : null;
  } catch {
    return null;
  }
}

function isCallEvent(value: unknown): value is LiveEvent {
  if (typeof value !== 'object' || value === null || !('call' in value) || !('type' in value)) return false;
  const { call, type } = value;
  return typeof type === 'string' && typeof call === 'object' && call !== null && 'id' in call;
}

export function afterEvent(calls: readonly LiveCall[], event: LiveEvent): readonly LiveCall[] {
  const { id } = event.call;
  switch (event.type) {
    case 'call.received':
      return calls.some((call) => call.id === id) ? calls : [...calls, begun(event)];
    case 'call.ended':
      return calls.filter((call) => call.id !== id);
    case 'call.menu_entered':
      return changed(calls, id, { state: 'menu', node: event.node ?? null, agent: null });
    case 'call.ringing':
      return changed(calls, id, { state: 'ringing', agent: null, ...at(event) });
    case 'call.answered':
      return changed(calls, id, { state: 'connected', ...at(event) });
    default:
      return calls;
  }
}

const at = ({ node }: LiveEvent): Partial<LiveCall> => (node ? { node } : {});

const changed = (calls: readonly LiveCall[], id: string, change: Partial<LiveCall>): readonly LiveCall[] =>
  calls.map((call) => (call.id === id ? { ...call, ...change } : call));

function begun({ call, at: time }: LiveEvent): LiveCall {
  return {
    id: call.id,
    call_id: call.id,
    sip_call_id: call.sip_call_id ?? '',
    direction: call.direction ?? 'inbound',
    caller: call.caller ?? null,
    caller_name: call.caller_name ?? '',
    dialled: call.dialled ?? '',
    entry: call.entry ?? '',
    started_at: call.started_at ?? time,
    state: 'menu',
    node: null,
    agent: null,
    consultation: null,
    consults_for: null,
    // Events do not have it; the list that is read next does.
    node_id: '',
  };
}

/** The calls that came and ended between two lists, for the live region. */
export function comings(
  before: readonly LiveCall[],
  after: readonly LiveCall[],
): { readonly came: readonly LiveCall[]; readonly went: readonly LiveCall[] } {
  const old = new Set(before.map(({ id }) => id));
  const now = new Set(after.map(({ id }) => id));
  return { came: after.filter(({ id }) => !old.has(id)), went: before.filter(({ id }) => !now.has(id)) };
}
