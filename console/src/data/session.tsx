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
import { Failure } from '../kit/states.tsx';
import { go, hasUnsaved, mayLeave } from '../router.tsx';
import { askAs, client, whenSignedOut } from './client.ts';
import { forgetAll, renewAll } from './records.ts';

export interface AccountName {
  readonly id: string;
  readonly name: string;
  /** May do what concerns the whole service, such as to drain a node. */
  readonly operator: boolean;
}

export interface Session {
  /** Null: not signed in. */
  readonly account: AccountName | null;
  readonly accounts: readonly AccountName[];
  /** The account whose session ended while changes were unsaved: the page stays until the user signs in again. */
  readonly lapsed: AccountName | null;
  readonly signIn: (secret: { token: string } | { link: string }) => Promise<void>;
  readonly signOut: (all?: boolean) => Promise<void>;
  readonly use: (accountId: string) => Promise<void>;
}

const Context = createContext<Session | null>(null);

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [accounts, setAccounts] = useState<readonly AccountName[] | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isLapsed, setLapsed] = useState(false);
  const last = useRef<string | null>(null);

  const look = useCallback(async (): Promise<void> => {
    const { accounts: found } = await client.getSession();
    const chosen = found.find((one) => one.current) ?? found[0] ?? null;
    askAs(chosen?.id ?? null);
    if (chosen && chosen.id === last.current) renewAll();
    else forgetAll();
    last.current = chosen?.id ?? null;
    setLapsed(false);
    setAccounts(found);
    setCurrent(chosen?.id ?? null);
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
      async signIn(secret) {
        await client.createSession({ body: secret });
        await look();
      },
      async signOut(all = false) {
        if (!(await mayLeave())) return;
        await client.deleteSession({ query: { all: all ? 'true' : 'false' } });
        await look();
        go('/', { asked: true });
      },
      async use(account) {
        if (!(await mayLeave())) return;
        await client.putCurrentSession({ body: { account } });
        await look();
        go('/', { asked: true });
      },
    }),
    [accounts, current, isLapsed, look],
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
