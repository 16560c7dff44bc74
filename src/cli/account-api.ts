// The account that a command works on: that of a token, where a service is named; else one in the database of this machine, for which
// the same API answers in this process.
import { type Client, createClient } from '../../client/client.ts';
import type { Config } from '../config/config.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import type { Storage } from '../storage/storage.ts';
import { findAccount, operator, withStorage } from './command.ts';
import { asksService, type RemoteValues, refusal, withService } from './remote.ts';

export interface LocalAccount {
  readonly storage: Storage;
  readonly account: StoredAccount;
  readonly config: Config;
}

type Values = RemoteValues & { readonly account?: string | undefined };

/** `local`: the account in the database of this machine; null: a service is asked. */
export async function withAccount<T>(
  config: Config,
  values: Values,
  work: (dialtree: Client<'minimal'>, local: LocalAccount | null) => Promise<T>,
): Promise<T> {
  if (asksService(config, values)) return withService(config, values, (dialtree) => work(dialtree, null));
  return withStorage(config, async (storage) => {
    const local = { storage, account: await findAccount(storage, values.account), config };
    return askLocally(local, (dialtree) => work(dialtree, local));
  });
}

/** As `operator()`, who may do everything in the account. */
export async function askLocally<T>(
  { storage, account, config }: LocalAccount,
  work: (dialtree: Client<'minimal'>) => Promise<T>,
): Promise<T> {
  // Loaded here: a command that asks a service needs no API of its own.
  const { openLocalApi } = await import('../service/local-api.ts');
  const api = await openLocalApi(config, storage, account.id, operator());
  try {
    return await work(createClient({ url: 'http://localhost', fetch: api.fetch, prefer: 'minimal' }));
  } catch (error) {
    throw refusal(error) ?? error;
  } finally {
    await api.close();
  }
}
