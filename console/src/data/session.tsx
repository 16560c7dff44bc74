import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { User } from '../../../client/operations.ts';
import { Failure } from '../kit/states.tsx';
import { go, hasUnsaved, mayLeave } from '../router.tsx';
import { askAs, client, whenSignedOut } from './client.ts';
import { forgetDrafts } from './drafts.ts';
import { forgetAll, renewAll } from './records.ts';

export interface AccountName {
  readonly id: string;
  readonly name: string;
  /** May do what concerns the whole service, such as to drain a node. */
  readonly operator: boolean;
  /** Null if signed in by a token or link of the account as a whole. */
  readonly user: User | null;
  /** The account has no user yet: this browser may make the owner. */
  readonly owner_missing: boolean;
}

export type Proof = { token: string } | { link: string } | { email: string; password: string; code?: string };

export interface Session {
  /** Null if not signed in. */
  readonly account: AccountName | null;
  readonly accounts: readonly AccountName[];
  /** The account whose session ended while changes were unsaved: the page stays until the user signs in again. */
  readonly lapsed: AccountName | null;
  /** Whether a forgotten password can be reset by e-mail. */
  readonly emailResets: boolean;
  /** What the OpenID Connect provider is called; null: there is none. */
  readonly oidc: string | null;
  /** The account that is current afterwards. */
  readonly signIn: (proof: Proof) => Promise<AccountName | null>;
  /** Reads who is signed in again, after the cookie has changed. */
  readonly look: () => Promise<AccountName | null>;
  readonly signOut: (all?: boolean) => Promise<void>;
  readonly use: (accountId: string) => Promise<void>;
}

const Context = createContext<Session | null>(null);

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [accounts, setAccounts] = useState<readonly AccountName[] | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isLapsed, setLapsed] = useState(false);
  const [ways, setWays] = useState<Pick<Session, 'emailResets' | 'oidc'>>({ emailResets: false, oidc: null });
  const last = useRef<string | null>(null);

  const look = useCallback(async (): Promise<AccountName | null> => {
    const { accounts: found, email_resets, oidc } = await client.getSession();
    setWays({ emailResets: email_resets, oidc });
    const chosen = found.find((one) => one.current) ?? found[0] ?? null;
    askAs(chosen?.id ?? null);
    if (chosen && chosen.id === last.current) renewAll();
    else forgetAll();
    last.current = chosen?.id ?? null;
    setLapsed(false);
    setAccounts(found);
    setCurrent(chosen?.id ?? null);
    return chosen;
  }, []);

  const begin = useCallback((): void => {
    setFailure(null);
    look().catch(setFailure);
  }, [look]);

  useEffect(() => {
    whenSignedOut(() => {
      askAs(null);
      setCurrent(null);
      setLapsed(hasUnsaved());
    });
    begin();
  }, [begin]);

  const session = useMemo<Session>(
    () => ({
      account: accounts?.find(({ id }) => id === current) ?? null,
      accounts: accounts ?? [],
      lapsed: (isLapsed && accounts?.find(({ id }) => id === last.current)) || null,
      ...ways,
      look,
      async signIn(proof) {
        await client.createSession({ body: proof });
        return look();
      },
      async signOut(all = false) {
        if (!(await mayLeave())) return;
        await client.deleteSession({ query: { all: all ? 'true' : 'false' } });
        await look();
        go('/', { asked: true });
        // After the forms are gone, which keep what was typed last.
        setTimeout(() => forgetDrafts(localStorage));
      },
      async use(account) {
        if (!(await mayLeave())) return;
        await client.putCurrentSession({ body: { account } });
        await look();
        go('/', { asked: true });
      },
    }),
    [accounts, current, isLapsed, ways, look],
  );
  // The request failed, so the session is unknown: do not show the sign-in page.
  if (failure !== null)
    return (
      <main className="sign-in">
        <h1>Dialtree</h1>
        <Failure error={failure} onAgain={begin} />
      </main>
    );
  return accounts && <Context.Provider value={session}>{children}</Context.Provider>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('useSession() outside of SessionProvider');
  return session;
}
