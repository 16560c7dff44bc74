// A link that was just made for a user: it is shown once.
export interface MadeLink {
  readonly name: string;
  readonly path: string;
  readonly mailed: boolean;
}
