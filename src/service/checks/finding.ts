// One line of `dialtree doctor`.
import type { MachineCode } from '../../domain/health.ts';

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
  /** What Health calls it while the service runs; absent: Health does not show it. */
  readonly code?: MachineCode;
  /** The values in the code's sentence in Health. */
  readonly values?: Readonly<Record<string, string>>;
}

type InHealth = Pick<Finding, 'code' | 'values'>;

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const warn = (check: string, message: string, health: InHealth = {}): Finding => ({
  check,
  state: 'warn',
  message,
  ...health,
});
export const fail = (check: string, message: string, health: InHealth = {}): Finding => ({
  check,
  state: 'fail',
  message,
  ...health,
});
export const skip = (check: string, message: string): Finding => ({ check, state: 'skip', message });

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
