// What main thread and flow threads say to each other.
import type { Settings } from '../domain/account.ts';
import type { Ivr } from '../domain/ivr.ts';
import type { Capabilities } from '../flow/flow.ts';
import type { LintedStarCode } from '../flow/lint/star-codes.ts';
import type { ScenarioFault } from '../flow/simulation/scenario.ts';

interface OfAccount {
  readonly accountId: string;
  readonly settings: Settings;
}

/** A menu: stored under the id, or this one. */
interface OfMenu extends OfAccount {
  readonly id: string;
  readonly ivr: Ivr | null;
  /** The account's directory must not be older. */
  readonly directoryRevision: number;
}

export interface SimulateJob extends OfMenu {
  readonly kind: 'simulate';
  /** Not read yet. */
  readonly scenario: unknown;
}

export interface TestJob extends OfMenu {
  readonly kind: 'test';
  /** The test whose trace is wanted, counted from 0; null: none. */
  readonly trace: number | null;
}

export interface LintJob extends OfAccount {
  readonly kind: 'lint';
  readonly capabilities: Capabilities;
  readonly starCodes: readonly LintedStarCode[];
}

export type FlowJob = SimulateJob | TestJob | LintJob;

/** `json` is ready to be sent; null: the menu does not exist. */
export type FlowResult = { readonly json: string | null } | { readonly faults: readonly ScenarioFault[] };

/** Methods of storage that a flow thread calls, by way of the main thread. */
export type Asked = 'getRecord' | 'getRecords' | 'listRecords' | 'listStamps' | 'recordChanges' | 'revisions';

export type ToThread =
  | { readonly job: FlowJob }
  | { readonly answered: number; readonly output: unknown }
  | { readonly answered: number; readonly failed: true };

export type FromThread =
  | { readonly ask: number; readonly method: Asked; readonly input: unknown }
  | { readonly result: FlowResult }
  | { readonly error: string };
