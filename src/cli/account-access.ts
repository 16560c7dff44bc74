// An account that is exported from, or imported into. local-account.ts has one in the database; another may be behind the API.
import type { Settings } from '../domain/account.ts';
import type { AccountLimits } from '../domain/account-limits.ts';
import type { OpenSecret } from '../import-export/collect.ts';
import type { AccountRecords } from '../import-export/export-file.ts';
import type { Change } from '../import-export/plan.ts';
import type { NewSecrets } from '../import-export/to-data.ts';

interface Sound {
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface AccountSource {
  readonly name: string;
  records(): Promise<AccountRecords>;
  settings(): Promise<Settings>;
  /** Null: secrets are never shown by this source. */
  readonly openSecret: OpenSecret | null;
  /** What callers hear, as it is stored; null: it is missing. */
  sound(recording: { readonly id: string; readonly sha256: string }): Promise<Sound | null>;
}

/** A secret that was made for a new record and is shown once: with an agent's eid and intercom, or a webhook's name. */
export interface NewSecret {
  readonly kind: 'agent' | 'webhook';
  readonly cells: readonly string[];
}

export interface AccountTarget extends Pick<AccountSource, 'name' | 'records' | 'settings'>, NewSecrets {
  limits(): Promise<AccountLimits>;
  /** Whether SIP passwords can be set as a file has them. */
  readonly takesDigests: boolean;
  /** Before hasSound() is asked for these. */
  lookForSounds(sha256s: readonly string[]): Promise<void>;
  hasSound(recording: { readonly id: string; readonly sha256: string }): boolean;
  putSound(recording: { readonly id: string; readonly sha256: string }, wav: Buffer): Promise<void>;
  /** Below 1: the target numbers the team when it is written. */
  takeTeamNumber(): Promise<number>;
  changeSettings(changes: Partial<Settings>): Promise<void>;
  /** Throws CommandError when the record was changed meanwhile, or is refused. */
  write(change: Change): Promise<NewSecret | null>;
}
