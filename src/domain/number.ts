// A number that callers dial, and where it leads.

export interface DialledNumber {
  readonly number: string;
  readonly destination: string;
  readonly description?: string;
}
