// What the test files of a run share, each begun in Vitest's own process when the first file asks for it (global-setup.ts).
const PLACE = 'DIALTREE_TEST_SHARED';

/** An account of the file's own on a service that files share. */
export interface OwnAccount {
  readonly url: string;
  readonly dataDir: string;
  readonly account: string;
  readonly token: string;
}

/** The port of the PostgreSQL server and its database with the schema; an account; an account with the records of the demonstration. */
export interface Shared {
  postgres(): Promise<{ readonly port: number; readonly template: string }>;
  account(): Promise<OwnAccount>;
  demonstration(): Promise<OwnAccount>;
}

/** Tells the processes of test files where to ask. */
export function tellPlace(url: string): void {
  process.env[PLACE] = url;
}

export const isTold = (): boolean => process.env[PLACE] !== undefined;

/** Undefined where nothing is shared: the run has no global set-up. */
export async function askShared<What extends keyof Shared>(
  what: What,
): Promise<Awaited<ReturnType<Shared[What]>> | undefined> {
  const place = process.env[PLACE];
  if (place === undefined) return undefined;
  const response = await fetch(`${place}/${what}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Awaited<ReturnType<Shared[What]>>;
}
