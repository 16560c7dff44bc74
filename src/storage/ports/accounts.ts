// Accounts, their settings, and the tokens that give access to them.
import type { Settings, Token } from '../../domain/account.ts';
import type { AccountLimits, LimitChanges } from '../../domain/account-limits.ts';
import type { Role } from '../../domain/roles.ts';
import type { ByActor } from './audit.ts';
import type { NewRecord } from './records.ts';

export interface StoredAccount {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly settings: Partial<Settings>;
  readonly limits: AccountLimits;
}

/** An account with its first token and, at the first start, its first records. */
export interface NewAccount {
  /** Its limits are the defaults; those of the first account are FIRST_LIMITS. */
  readonly account: Omit<StoredAccount, 'limits'>;
  readonly token: Token;
  readonly records?: readonly NewRecord[];
}

export interface NewSession {
  readonly session: Token;
  /** The one-time link that it uses up. */
  readonly linkId?: string;
  /** Sessions, of any account, that it replaces. */
  readonly endIds?: readonly string[];
  /** Sessions an account may have; the oldest end first. */
  readonly most: number;
  /** Sessions of its user, likewise. */
  readonly mostOfUser?: number;
  /** Its user, as proved: not created if the user has another role or password by then, is disabled or gone. */
  readonly provenUser?: { readonly role: Role; readonly password: string | null };
}

export interface NewToken {
  readonly token: Token;
  readonly replaceNamed?: boolean;
  /** Access tokens that the account may have; expired ones give way. */
  readonly most?: number;
  /** Likewise of its user. */
  readonly mostOfUser?: number;
  /** The token or session that asked for it, and must still be there. */
  readonly madeBy?: string;
}

/** parent_gone: the token or session that it was to be made with has just been revoked. */
export type TokenOutcome = 'created' | 'too_many' | 'too_many_of_user' | 'parent_gone';

export interface SettingsResult {
  readonly outcome: 'changed' | 'unexpected';
  /** As they are now. */
  readonly settings: Settings;
}

export interface AccountStorage {
  /** All or nothing; nothing when the id is taken. */
  createAccount(input: NewAccount): Promise<{ created: boolean }>;
  listAccounts(): Promise<StoredAccount[]>;
  /** Settings that are not named keep their values. `expected`: nothing is changed unless the account has these. */
  changeSettings(
    input: { accountId: string; changes: Partial<Settings>; expected?: Settings } & ByActor,
  ): Promise<SettingsResult>;
  /** By the operator alone. Limits that are not named keep their values. */
  changeLimits(input: { accountId: string; changes: LimitChanges } & ByActor): Promise<void>;
  createToken(input: NewToken & ByActor): Promise<{ outcome: TokenOutcome }>;
  /** Not created: the link has been used, or has expired, or the user is not as proved. */
  createSession(input: NewSession & ByActor): Promise<{ created: boolean }>;
  /** Sessions and links that have expired. */
  forgetSessions(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
  listTokens(): Promise<Token[]>;
  /** With all tokens and sessions that were made with it, and with those. */
  revokeToken(input: { accountId: string; id: string } & ByActor): Promise<{ revoked: boolean }>;
  touchTokens(input: { ids: readonly string[]; atMs: number }): Promise<void>;
}
