// Who is signed in, and to which accounts.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { go } from '../router.tsx';
import { askAs, client, whenSignedOut } from './client.ts';
import { forgetAll } from './records.ts';

export interface AccountName {
  readonly id: string;
  readonly name: string;
}

export interface Session {
  /** Null: nobody is signed in. */
  readonly account: AccountName | null;
  readonly accounts: readonly AccountName[];
  readonly signIn: (secret: { token: string } | { link: string }) => Promise<void>;
  readonly signOut: (all?: boolean) => Promise<void>;
  readonly use: (accountId: string) => Promise<void>;
}

const Context = createContext<Session | null>(null);

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [accounts, setAccounts] = useState<readonly AccountName[] | null>(null);
  const [current, setCurrent] = useState<string | null>(null);

  const look = useCallback(async (): Promise<void> => {
    const { accounts: found } = await client.getSession();
    const chosen = found.find((one) => one.current) ?? found[0] ?? null;
    askAs(chosen?.id ?? null);
    forgetAll();
    setAccounts(found);
    setCurrent(chosen?.id ?? null);
  }, []);

  useEffect(() => {
    whenSignedOut(() => {
      askAs(null);
      setCurrent(null);
    });
    look().catch(() => setAccounts([]));
  }, [look]);

  const session = useMemo<Session>(
    () => ({
      account: accounts?.find(({ id }) => id === current) ?? null,
      accounts: accounts ?? [],
      async signIn(secret) {
        await client.createSession({ body: secret });
        await look();
      },
      async signOut(all = false) {
        await client.deleteSession({ query: { all: all ? 'true' : 'false' } });
        await look();
        go('/');
      },
      async use(account) {
        await client.putCurrentSession({ body: { account } });
        await look();
        go('/');
      },
    }),
    [accounts, current, look],
  );
  return accounts && <Context.Provider value={session}>{children}</Context.Provider>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('useSession() outside of SessionProvider');
  return session;
}
