// Variables of a call: names and values that nodes set, and templates with `{name}` in them. Built-in ones say what is known of
// the call and cannot be set.

export const MAX_VARIABLES = 50;
export const MAX_VALUE = 1_024;
/** A template may repeat a variable: what it makes is cut here. */
export const MAX_FILLED = 8_192;
export const VARIABLE_NAME = /^[a-z][a-z0-9_]{0,31}$/;

export const BUILT_IN_VARIABLES = [
  'caller',
  'caller_name',
  'dialled',
  'call_id',
  'started_at',
  'department',
  'agent',
] as const;
export type BuiltInVariable = (typeof BUILT_IN_VARIABLES)[number];

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_VARIABLES);
export const isBuiltIn = (name: string): name is BuiltInVariable => BUILT_IN.has(name);

export const isSettable = (name: string): boolean => VARIABLE_NAME.test(name) && !isBuiltIn(name);

export interface Variable {
  readonly value: string;
  /** A sensitive step gave it, or it was made from such a one. */
  readonly sensitive?: true;
}

/** Plain data: the state of a call is stored and read back as JSON. */
export type Variables = { readonly [name: string]: Variable };
export const NO_VARIABLES: Variables = Object.freeze({});

/** In place of the value of a sensitive variable. */
export const HIDDEN_VALUE = '•';

/** What is known of a call beside its number; absent members are empty. */
export interface CallFactsForFlow {
  readonly callerName?: string;
  readonly dialled?: string;
  readonly callId?: string;
}

/** As records, webhooks and live events show them. */
export function shownVariables(variables: Variables): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(variables).map(([name, { value, sensitive }]) => [name, sensitive ? HIDDEN_VALUE : value]),
  );
}

export const asVariable = (value: string): Variable => ({ value });

export type Piece = string | { readonly variable: string };

/** Single pass. Braces around anything but a name of a variable are characters like any other. */
export function* eachPiece(template: string): Generator<Piece> {
  let from = 0;
  for (let open = template.indexOf('{'); open >= 0; open = template.indexOf('{', open + 1)) {
    const close = template.indexOf('}', open);
    if (close < 0) break;
    const name = close - open <= 33 ? template.slice(open + 1, close) : '';
    if (!VARIABLE_NAME.test(name)) continue;
    yield template.slice(from, open);
    yield { variable: name };
    from = close + 1;
    open = close;
  }
  yield template.slice(from);
}

export const piecesOf = (template: string): Piece[] => [...eachPiece(template)];

export function variablesIn(template: string): string[] {
  return piecesOf(template).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.variable]));
}

/** The variables that a call begins with: those that may be set, in order. */
export function givenVariables(given: { readonly [name: string]: string } | undefined): Variables {
  if (!given) return NO_VARIABLES;
  const kept = Object.entries(given)
    .filter(([name]) => isSettable(name))
    .slice(0, MAX_VARIABLES);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      asVariable(value.slice(0, MAX_VALUE).replace(/\0/g, '').toWellFormed()),
    ]),
  );
}
