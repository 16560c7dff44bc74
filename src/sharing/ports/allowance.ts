// PORT: how many of something an account may have per minute or day, over all nodes: SMS and e-mail cost money or trust, and any caller
// can cause them. Strict while the database answers.

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export interface Allowance {
  /** False: no more in this period. `most`: what this account may have, if accounts differ. */
  take(accountId: string, most?: number): boolean | Promise<boolean>;
  /** Until the next period. */
  readonly secondsLeft: number;
}

export interface AllowanceTerms {
  /** What is counted, such as SMS. */
  readonly name: string;
  readonly most: number;
  readonly periodMs: number;
}
