// Users of accounts, and the links that invite them or reset their password.
import type { User, UserCredentials, UserLink } from '../../domain/user.ts';
import type { ByActor } from './audit.ts';

/** last_owner: the account would have no owner who may sign in. changed: the user has another role than was expected. */
export type UserOutcome =
  | 'done'
  | 'unknown'
  | 'email_taken'
  | 'too_many'
  | 'last_owner'
  | 'has_users'
  | 'changed';

/** The role that decided whether this may be done. Compared in the transaction: the user may have been promoted meanwhile. */
export interface ExpectedRole {
  readonly expectedRole?: User['role'];
}

export interface UserChange {
  readonly name?: string;
  readonly email?: string;
  readonly role?: User['role'];
  readonly agent?: string | null;
  readonly disabled?: boolean;
}

/** The change by one use of a code or a key: when two come at once, only one is carried out. */
export interface CredentialChange extends ExpectedRole {
  readonly accountId: string;
  readonly id: string;
  /** As they were read. */
  readonly expected: UserCredentials;
  readonly credentials: UserCredentials;
  readonly atMs: number;
  /** Sessions and tokens of the user end, but for this session. */
  readonly endAllBut?: string | null;
  /** For the audit; absent: no entry is written. */
  readonly action?: string;
}

export interface UserStorage {
  listUsers(): Promise<User[]>;
  /** `first`: only where the account has no user yet. */
  createUser(
    input: { user: User; most: number; first?: boolean } & ByActor,
  ): Promise<{ outcome: UserOutcome }>;
  changeUser(
    input: { accountId: string; id: string; changes: UserChange; atMs: number } & ExpectedRole & ByActor,
  ): Promise<{ outcome: UserOutcome }>;
  /** With all sessions, tokens and links of the user. */
  deleteUser(
    input: { accountId: string; id: string } & ExpectedRole & ByActor,
  ): Promise<{ outcome: UserOutcome }>;
  changeCredentials(input: CredentialChange & ByActor): Promise<{ changed: boolean }>;
  touchUser(input: { accountId: string; id: string; atMs: number }): Promise<void>;
  /** Replaces those that the user has. */
  createUserLink(input: { link: UserLink } & ExpectedRole & ByActor): Promise<{ outcome: UserOutcome }>;
  findUserLink(input: { hash: string }): Promise<UserLink | null>;
  /** Uses the link up and sets the password; sessions, tokens and passkeys of the user end. Not used: it was used before, or has expired. */
  spendUserLink(
    input: { link: UserLink; password: string; atMs: number } & ByActor,
  ): Promise<{ used: boolean }>;
  forgetUserLinks(input: { beforeMs: number; limit: number }): Promise<{ forgotten: number }>;
}
