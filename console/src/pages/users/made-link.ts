// A link that was just made for a user: it is shown once, or goes by mail alone.
export interface MadeLink {
  readonly name: string;
  readonly path: string | null;
  readonly mailed: boolean;
}
