// What main thread and flow threads say to each other.
import type { Settings } from '../domain/account.ts';
import type { DraftChange } from '../domain/drafted-flow.ts';
import type { Capabilities } from '../flow/flow.ts';
import type { LintedStarCode } from '../flow/lint/star-codes.ts';
import type { ScenarioFault } from '../flow/simulation/scenario.ts';
import type { Ivr } from '../kinds/ivr.ts';

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
  /** The changes in the draft that the request works on. */
  readonly changes: readonly DraftChange[];
}

export interface SimulateJob extends OfMenu {
  readonly kind: 'simulate';
  /** Not read yet. */
  readonly scenario: unknown;
  /** Whoever asks must not learn PINs of rooms: by trying them out, either. */
  readonly hidesPins: boolean;
}

export interface TestJob extends OfMenu {
  readonly kind: 'test';
  /** The test whose trace is wanted, counted from 0; null: none. */
  readonly trace: number | null;
  /** Whoever asks must not learn PINs of rooms: a test that types one has no trace. */
  readonly hidesPins: boolean;
}

export interface LintJob extends OfAccount {
  readonly kind: 'lint';
  readonly capabilities: Capabilities;
  readonly starCodes: readonly LintedStarCode[];
}

/** The linter and the tests of menus, with these changes; or one simulated call. */
export interface DraftJob extends Omit<LintJob, 'kind'> {
  readonly kind: 'draft';
  /** Null for the linter and the tests. `scenario` is not read yet. */
  /** Only what the linter says of the drafted records, and did not say before: what a publication waits for. */
  readonly isBrief?: true;
  readonly call: (Pick<SimulateJob, 'scenario' | 'hidesPins'> & { readonly entry: string }) | null;
  readonly changes: readonly DraftChange[];
}

/** The tests of menus that these changes break. */
export interface WriteJob extends OfAccount {
  readonly kind: 'write';
  readonly changes: readonly DraftChange[];
  /** The settings as they would be. */
  readonly after: Settings;
}

/** A test that a write breaks, as the answer has it. */
export interface RedTest {
  readonly menu: string;
  readonly menu_name: string;
  readonly name: string;
  readonly passed: false;
  readonly differences: readonly string[];
}

/** What a WriteJob answers. `isWhole`: every test that the write can reach was run. */
export interface RedTests {
  readonly data: readonly RedTest[];
  readonly isWhole: boolean;
  /** No menu of the account carries tests. */
  readonly isUntested: boolean;
}

export type FlowJob = SimulateJob | TestJob | LintJob | DraftJob | WriteJob;

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
