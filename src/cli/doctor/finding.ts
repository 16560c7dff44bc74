// One line of `dialtree doctor`.

export type State =
  | 'ok'
  /** It works, but perhaps not as expected. */
  | 'warn'
  | 'fail'
  /** Not tried; the message has the reason. */
  | 'skip';

export interface Finding {
  readonly check: string;
  readonly state: State;
  /** What was found, and where it is wrong, how to correct it. */
  readonly message: string;
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const warn = (check: string, message: string): Finding => ({ check, state: 'warn', message });
export const fail = (check: string, message: string): Finding => ({ check, state: 'fail', message });
export const skip = (check: string, message: string): Finding => ({ check, state: 'skip', message });

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
