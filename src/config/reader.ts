// Reads variables of an environment and notes those that cannot be used.
import { VARIABLES } from './variables.ts';

export type VariableName = keyof typeof VARIABLES;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Refusal {
  readonly name: VariableName;
  /** What it must be; says nothing of what it is. */
  readonly allowed: string;
  readonly message: string;
}

export class Reader {
  readonly refusals: Refusal[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get faults(): string[] {
    return this.refusals.map(({ message }) => message);
  }

  given(name: VariableName): string {
    return this.#environment[name]?.trim() || VARIABLES[name][0];
  }

  /** Whether the environment says it. */
  isChosen(name: VariableName): boolean {
    return Boolean(this.#environment[name]?.trim());
  }

  refuse(name: VariableName, allowed: string, shown = `"${this.given(name)}"`): void {
    this.refusals.push({ name, allowed, message: `${name} is ${shown}, but must be ${allowed}.` });
  }

  whole(name: VariableName, min: number, max: number): number {
    const text = this.given(name);
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.refuse(name, `a whole number from ${min} to ${max}`);
    return min;
  }

  onOff(name: VariableName): boolean {
    const text = this.given(name);
    if (text !== 'on' && text !== 'off') this.refuse(name, 'on or off');
    return text === 'on';
  }

  oneOf<const T extends string>(name: VariableName, values: readonly [T, ...T[]]): T {
    const found = values.find((value) => value === this.given(name));
    if (!found) this.refuse(name, `one of ${values.join(', ')}`);
    return found ?? values[0];
  }

  host(name: VariableName): string {
    const host = this.given(name);
    if (!/^[A-Za-z0-9.:_%-]{1,255}$/.test(host)) this.refuse(name, 'an address or a host name');
    return host;
  }
}
