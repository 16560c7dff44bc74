// Variables of the service that its operator may set by request, where the environment does not set them. The environment always wins.
// What names a program or a path is not among them: whoever could set it would run code. Nor is what the service trusts or listens on.
import type { Sealer } from './sealer.ts';

export const SETTABLE_VARIABLES = [
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_PER_MINUTE',
  'MAIL_PER_DAY',
  'SMS_URL',
  'SMS_SENDER',
  'SMS_PER_MINUTE',
  'PUBLIC_URL',
  'ADVERTISED_ADDRESS',
] as const;
export type SettableVariable = (typeof SETTABLE_VARIABLES)[number];
export type VariableValues = Readonly<Partial<Record<SettableVariable, string>>>;

/** Why a variable cannot be set by request. `machine`: it fits one machine, and a wrong value keeps the service from starting. */
export const VARIABLE_LOCKS = ['environment', 'program', 'security', 'machine'] as const;
export type VariableLock = (typeof VARIABLE_LOCKS)[number];

/** Where the value that holds comes from. */
export const VARIABLE_SOURCES = ['environment', 'stored', 'default'] as const;
export type VariableSource = (typeof VARIABLE_SOURCES)[number];

/** As the database has it. */
export interface StoredVariable {
  readonly name: string;
  /** Sealed, where it may hold a password. */
  readonly value: string;
}

const SEALED: readonly string[] = ['SMTP_URL', 'SMS_URL'];
/** It may hold a password: stored sealed, and never shown again. */
export const isSealed = (name: string): boolean => SEALED.includes(name);
const place = (name: SettableVariable): string => `service variable ${name}`;

export const isSettable = (name: string): name is SettableVariable =>
  SETTABLE_VARIABLES.some((each) => each === name);

/** `seal`: as of a Sealer. */
export function storedForm(name: SettableVariable, value: string, seal: Sealer['seal']): string {
  return isSealed(name) ? seal(value, place(name)) : value;
}

export interface OpenedVariables {
  readonly values: VariableValues;
  /** Sealed with another SECRET_KEY. */
  readonly unreadable: readonly SettableVariable[];
}

/** Names that this version does not know are left out: a newer one stored them. */
export function openVariables(stored: readonly StoredVariable[], sealer: Sealer): OpenedVariables {
  const values: Partial<Record<SettableVariable, string>> = {};
  const unreadable: SettableVariable[] = [];
  for (const { name, value } of stored) {
    if (!isSettable(name)) continue;
    const opened = isSealed(name) ? sealer.open(value, place(name)) : value;
    if (opened === null) unreadable.push(name);
    else values[name] = opened;
  }
  return { values, unreadable };
}
