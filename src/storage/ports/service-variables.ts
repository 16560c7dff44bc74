// Variables of the service that its operator has set by request: one row each, for all nodes.
import type { StoredVariable } from '../../domain/service-variable.ts';
import type { ByActor } from './audit.ts';

export interface VariableChanges extends ByActor {
  /** The operator's: whose audit has the entry. */
  readonly accountId: string;
  /** Null removes the stored value. */
  readonly changes: readonly { readonly name: string; readonly value: string | null }[];
  readonly atMs: number;
  /** For the audit: what may be shown, by member. */
  readonly before: object;
  readonly after: object;
}

export interface ServiceVariableStorage {
  listVariables(): Promise<StoredVariable[]>;
  /** All of them or none. */
  changeVariables(input: VariableChanges): Promise<void>;
}
