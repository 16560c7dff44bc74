// A flow of Twilio Studio, as its JSON has it: checked, so that the importer meets no surprise.
import { ForeignFileError } from './foreign-account.ts';

export interface StudioState {
  readonly name: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly transitions: readonly StudioTransition[];
}

export interface StudioTransition {
  readonly event: string;
  readonly next: string | null;
  readonly conditions: readonly StudioCondition[];
}

export interface StudioCondition {
  readonly type: string;
  readonly value: string;
  readonly arguments: readonly string[];
}

export interface StudioFlow {
  readonly name: string;
  readonly initial: string;
  readonly states: ReadonlyMap<string, StudioState>;
}

type Members = Readonly<Record<string, unknown>>;

const MAX_STATES = 5_000;
const MAX_TRANSITIONS = 1_000;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
const listOf = (value: unknown, what: string): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new ForeignFileError(`${what} must be a list.`);
  if (value.length > MAX_TRANSITIONS)
    throw new ForeignFileError(`${what} has more than ${MAX_TRANSITIONS} items.`);
  return value;
};

/** The definition itself, or what the API of Studio answers, with the definition in it. */
export function readStudioFlow(json: unknown): StudioFlow {
  const whole = isObject(json) ? json : {};
  const definition = isObject(whole['definition']) ? whole['definition'] : whole;
  const { states, initial_state: initial, description } = definition;
  if (!Array.isArray(states))
    throw new ForeignFileError('This is no flow of Twilio Studio: it has no list "states".');
  if (states.length > MAX_STATES) throw new ForeignFileError(`The flow has more than ${MAX_STATES} states.`);
  const read = new Map<string, StudioState>();
  for (const [index, state] of states.entries()) {
    const one = stateOf(state, `/states/${index}`);
    if (read.has(one.name)) throw new ForeignFileError(`/states/${index}: "${one.name}" is there twice.`);
    read.set(one.name, one);
  }
  const first = textOf(initial) || ([...read.values()].find(({ type }) => type === 'trigger')?.name ?? '');
  if (!read.has(first))
    throw new ForeignFileError('The flow does not say where calls begin: "initial_state" is no state of it.');
  const name =
    textOf(whole['friendly_name'] ?? whole['friendlyName']) || textOf(description) || 'Twilio flow';
  return { name, initial: first, states: read };
}

function stateOf(value: unknown, at: string): StudioState {
  if (!isObject(value)) throw new ForeignFileError(`${at} must be an object.`);
  const { name, type, properties, transitions } = value;
  if (typeof name !== 'string' || name === '' || typeof type !== 'string')
    throw new ForeignFileError(`${at} has no name or no type.`);
  return {
    name,
    type,
    properties: isObject(properties) ? properties : {},
    transitions: listOf(transitions, `${at}/transitions`).map((each, index) =>
      transitionOf(each, `${at}/transitions/${index}`),
    ),
  };
}

function transitionOf(value: unknown, at: string): StudioTransition {
  if (!isObject(value)) throw new ForeignFileError(`${at} must be an object.`);
  const { event, next, conditions } = value;
  return {
    event: textOf(event),
    next: textOf(next) || null,
    conditions: listOf(conditions, `${at}/conditions`).map((each) => {
      const { type, value: wanted, arguments: given } = isObject(each) ? each : {};
      return {
        type: textOf(type),
        value: textOf(wanted),
        arguments: listOf(given, `${at}/conditions arguments`).map(textOf),
      };
    }),
  };
}
