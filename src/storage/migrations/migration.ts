export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** Why the former version survives the step, where its statement does not show it (docs/decisions/0017). */
  readonly survived?: string;
}
