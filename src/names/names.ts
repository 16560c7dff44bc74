// From a name to its addresses without getaddrinfo, which occupies a thread of libuv's pool until the name server answers: two names that
// are never answered stop every other look-up of the process. DNS is asked by c-ares, which has sockets of its own.
import { Resolver } from 'node:dns/promises';
import { HostsFile } from './hosts-file.ts';
import { searchedNames } from './search-list.ts';

/** One try of one name server; the second try waits twice as long. */
const TRY_MS = 1_500;
const TRIES = 2;
export const LOOKUP_MS = 5_000;

export interface NameSources {
  readonly hosts?: HostsFile;
  readonly resolvConf?: string;
  /** Left out: those of the system. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

export interface AddressQueries {
  resolve4(name: string): Promise<readonly string[]>;
  resolve6(name: string): Promise<readonly string[]>;
}

const hostsOfSystem = new HostsFile();

/** The hosts file, then DNS with the search list; IPv4 before IPv6. Empty: the name leads nowhere. */
export async function addressesBy(
  queries: AddressQueries,
  name: string,
  { hosts = hostsOfSystem, resolvConf }: NameSources = {},
): Promise<readonly string[]> {
  const local = hosts.addressesOf(name);
  if (local.length > 0) return local;
  for (const searched of searchedNames(name, resolvConf)) {
    const [four, six] = await Promise.allSettled([queries.resolve4(searched), queries.resolve6(searched)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    if ([four, six].some((answer) => answer.status === 'rejected' && codeOf(answer.reason) === 'ECANCELLED'))
      break;
  }
  return [];
}

/** One look-up with sockets, and so source ports, of its own, which ends after `timeoutMs` at the latest. */
export async function lookUp(name: string, sources: NameSources = {}): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (sources.servers) resolver.setServers(sources.servers);
  const late = setTimeout(() => resolver.cancel(), sources.timeoutMs ?? LOOKUP_MS);
  try {
    return await addressesBy(resolver, name, sources);
  } finally {
    clearTimeout(late);
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
