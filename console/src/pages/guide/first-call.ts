// The progress of a call to one number, from the live call events.

export const STAGES = ['received', 'menu', 'key', 'ringing', 'answered', 'ended'] as const;
export type Stage = (typeof STAGES)[number];

export interface CallStage {
  readonly stage: Stage;
  /** The caller, or the keys. */
  readonly what: string;
}

export interface FirstCall {
  /** The followed call; null: none yet. */
  readonly id: string | null;
  readonly stages: readonly CallStage[];
}

export const NO_CALL: FirstCall = { id: null, stages: [] };
const MOST_STAGES = 12;

const KINDS: Readonly<Record<string, Stage>> = {
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
  const stage = KINDS[type];
  if (!stage) return state;
  let data: unknown;
  try {
    data = member(JSON.parse(json), 'data');
  } catch {
    return state;
  }
  const call = member(data, 'call');
  const id = textOf(member(call, 'id'));
  if (id === '' || textOf(member(call, 'dialled')) !== number) return state;
  const what =
    stage === 'received'
      ? textOf(member(call, 'caller'))
      : stage === 'key'
        ? textOf(member(data, 'keys'))
        : '';
  const reached = { stage, what };
  if (id === state.id) return { id, stages: [...state.stages, reached].slice(-MOST_STAGES) };
  return { id, stages: [reached] };
}

export const isAnswered = ({ stages }: FirstCall): boolean =>
  stages.some(({ stage }) => stage === 'answered');
