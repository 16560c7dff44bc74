// Templates with the variables of a call in them, and how nodes set variables.

import type { CallEvent, CallState } from './call-state.ts';
import { nameOf } from './flow.ts';
import type { Ref } from './node.ts';
import type { Turn } from './turn.ts';
import {
  asVariable,
  type BuiltInVariable,
  eachPiece,
  HIDDEN_VALUE,
  isBuiltIn,
  isSettable,
  MAX_FILLED,
  MAX_VALUE,
  MAX_VARIABLES,
  type Variable,
} from './variables.ts';

const isSensitive = ({ variables }: Pick<CallState, 'variables'>, name: string): boolean =>
  Object.hasOwn(variables, name) && variables[name]?.sensitive === true;

export function variableOf(turn: Turn, name: string): Variable | null {
  if (isBuiltIn(name)) return builtIn(turn, name);
  const { variables } = turn.state;
  return Object.hasOwn(variables, name) ? (variables[name] ?? null) : null;
}

function builtIn({ state, flow }: Turn, name: BuiltInVariable): Variable | null {
  const known = builtInValue(state, name, (ref) => nameOf(flow, ref).replace(/^“(.*)”$/s, '$1'));
  return known === '' ? null : asVariable(known);
}

function builtInValue(state: CallState, name: BuiltInVariable, nameAt: (ref: Ref) => string): string {
  switch (name) {
    case 'caller':
      return state.caller ?? '';
    case 'caller_name':
      return state.known.callerName ?? '';
    case 'dialled':
      return state.known.dialled ?? '';
    case 'call_id':
      return state.known.callId ?? '';
    case 'started_at':
      return new Date(state.startedEpochMs).toISOString();
    case 'department':
      return state.department === null ? '' : nameAt(state.department);
    case 'agent':
      return state.agent === null ? '' : nameAt(state.agent);
    default:
      return name satisfies never;
  }
}

const asItIs = (value: string): string => value;

/** With the variables of the call in it; one that is not set is empty, and the trail says so. It ends where the text is long enough. */
export function fill(
  turn: Turn,
  node: Ref,
  template: string,
  encode: (value: string) => string = asItIs,
  most: number = MAX_FILLED,
): Variable {
  if (!template.includes('{')) return asVariable(template);
  let hasSecret = false;
  let text = '';
  for (const piece of eachPiece(template)) {
    if (text.length >= most || !turn.mayFill(node)) break;
    const found = typeof piece === 'string' ? asVariable(piece) : variableOf(turn, piece.variable);
    if (!found && typeof piece !== 'string') noteUnset(turn, node, piece.variable);
    if (found?.sensitive) hasSecret = true;
    const added = found?.value ?? '';
    text += typeof piece === 'string' ? added : encode(added);
    turn.hasFilled(added.length);
  }
  const value = text.slice(0, most).toWellFormed();
  return hasSecret ? { value, sensitive: true } : { value };
}

/** As the value of a variable, which is shorter than other texts may be. */
export const fillValue = (turn: Turn, node: Ref, template: string): Variable =>
  fill(turn, node, template, asItIs, MAX_VALUE);

/** Once at a node, however often its templates have it. */
export function noteUnset(turn: Turn, node: Ref, name: string): void {
  if (turn.isFirstMiss(node, name))
    turn.noteVariable(node, 'variable-unset', `The variable ${name} is not set: it is empty.`);
}

export function setVariable(turn: Turn, node: Ref, name: string, variable: Variable): void {
  const shown = assignVariable(turn, node, name, variable);
  if (shown !== null) turn.noteVariable(node, 'variable-set', `The variable ${name} is now “${shown}”.`);
}

/**
 * Values that are too long are cut; a call that has all it may carry takes no further name. A name that was sensitive once stays so: who
 * sets it again may have been given what it held. Returns what may be shown of the value, null where none was set.
 */
export function assignVariable(
  turn: Turn,
  node: Ref,
  name: string,
  { value, ...given }: Variable,
): string | null {
  const { variables } = turn.state;
  const sensitive = given.sensitive ?? isSensitive(turn.state, name);
  if (!isSettable(name)) return null;
  if (!Object.hasOwn(variables, name) && Object.keys(variables).length >= MAX_VARIABLES) {
    turn.noteVariable(
      node,
      'variable-refused',
      `The variable ${name} is not set: a call has ${MAX_VARIABLES} at most.`,
    );
    return null;
  }
  const cut = value.slice(0, MAX_VALUE).replace(/\0/g, '').toWellFormed();
  turn.state.variables = {
    ...variables,
    [name]: sensitive ? { value: cut, sensitive: true } : { value: cut },
  };
  return sensitive ? HIDDEN_VALUE : cut.length > 100 ? `${cut.slice(0, 100).toWellFormed()}…` : cut;
}

/** As records keep it: values that are set in place of sensitive ones are hidden. */
export function withoutSecrets(event: CallEvent, state: Pick<CallState, 'variables'>): CallEvent {
  if (event.type === 'stream-variables') return { ...event, values: hiddenIn(event.values, state) };
  if (event.type !== 'request-answered' || !event.outcome.ok) return event;
  return { ...event, outcome: { ...event.outcome, values: hiddenIn(event.outcome.values, state) } };
}

function hiddenIn(
  values: { readonly [name: string]: string },
  state: Pick<CallState, 'variables'>,
): { readonly [name: string]: string } {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    isSensitive(state, name) ? HIDDEN_VALUE : value,
  ]);
  return Object.fromEntries(shown);
}
