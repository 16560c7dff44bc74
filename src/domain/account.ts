// An account owns everything; a token belongs to one account and sees nothing else.

export interface Settings {
  /** Whether a menu's sms_template is used. */
  readonly sms_templates: boolean;
  /** Whether a reference to something that does not exist is a fault (400) instead of a warning. */
  readonly strict_references: boolean;
}

export const DEFAULT_SETTINGS: Settings = { sms_templates: false, strict_references: false };

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly settings: Settings;
}

export interface Token {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 in hex. The token itself is shown once and never stored. */
  readonly hash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
}
