// The progress of a call to one number, from the live call events.

export const TOLD = ['received', 'menu', 'key', 'ringing', 'answered', 'ended'] as const;
export type Told = (typeof TOLD)[number];

export interface Line {
  readonly told: Told;
  /** The caller, or the keys. */
  readonly what: string;
}

export interface FirstCall {
  /** The followed call; null: none yet. */
  readonly id: string | null;
  readonly lines: readonly Line[];
}

export const NO_CALL: FirstCall = { id: null, lines: [] };
const MOST_LINES = 12;

const KINDS: Readonly<Record<string, Told>> = {
  'call.received': 'received',
  'call.menu_entered': 'menu',
  'call.option': 'key',
  'call.ringing': 'ringing',
  'call.answered': 'answered',
  'call.ended': 'ended',
};

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The state after one event. Calls to other numbers are ignored; a new call to the number restarts. */
export function afterEvent(state: FirstCall, type: string, json: string, number: string): FirstCall {
  const told = KINDS[type];
  if (!told) return state;
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return state;
  }
  const call = member(data, 'call');
  const id = textOf(member(call, 'id'));
  if (id === '' || textOf(member(call, 'dialled')) !== number) return state;
  const what =
    told === 'received' ? textOf(member(call, 'caller')) : told === 'key' ? textOf(member(data, 'keys')) : '';
  const line = { told, what };
  if (id === state.id) return { id, lines: [...state.lines, line].slice(-MOST_LINES) };
  return { id, lines: [line] };
}

export const isAnswered = ({ lines }: FirstCall): boolean => lines.some(({ told }) => told === 'answered');
