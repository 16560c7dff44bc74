// The running service, asked over HTTP by commands: on this machine unless DIALTREE_URL or --url says otherwise.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { type Client, createClient, DialtreeError } from '../../client/client.ts';
import { isLoopback } from '../api/http/client-address.ts';
import type { Config } from '../config/config.ts';
import { isHttpUrl } from '../config/forms.ts';
import { CommandError, table, UsageError } from './command.ts';
import { io, print, remark } from './io.ts';

export const REMOTE_OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const WHERE = [
  '--url <address>   the service; default: DIALTREE_URL, or this machine, at PORT.',
  '--token <token>   default: DIALTREE_TOKEN (which others cannot see in the list of processes), or on this machine',
  '                  ACCESS_TOKEN or the one kept in DATA_DIR at the first start.',
];

export const REMOTE_DETAILS = [...WHERE, '--json            the answer as it came, for programs.'];

/** Help for commands that work on the database of this machine unless a service is named. */
export const EITHER_DETAILS = [
  'Works on the database of this machine, or with DIALTREE_URL or --url asks that service.',
  ...WHERE,
];

export interface RemoteValues {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What the service answers to `work`; what it refuses is one line, as everywhere. */
export async function withService<T>(
  config: Config,
  values: RemoteValues,
  work: (dialtree: Client<'minimal'>) => Promise<T>,
): Promise<T> {
  const url = serviceUrl(config, values);
  if (values.token !== undefined)
    remark(
      'warning: --token can be seen by other users of this machine; use DIALTREE_TOKEN in the environment.\n',
    );
  const token = values.token ?? config.remoteToken ?? ownToken(config, url);
  try {
    return await work(createClient({ url, token, prefer: 'minimal' }));
  } catch (error) {
    if (error instanceof TypeError && error.message === 'fetch failed')
      throw new CommandError(
        `Nothing answers at ${url}: is the service running? Say where it is with DIALTREE_URL or --url.`,
      );
    throw refusal(error) ?? error;
  }
}

/** What the API refuses, in one line, with the option for what it calls ?force=true; null: something else. */
export const refusal = (error: unknown): CommandError | null =>
  error instanceof DialtreeError ? new CommandError(error.message.replace('?force=true', '--force')) : null;

/** Whether a command that also works on the database is to ask a service; the token then says which account it is. */
export function asksService(
  { remoteUrl }: Config,
  { url, account }: { readonly url?: string | undefined; readonly account?: string | undefined },
): boolean {
  if (url === undefined && remoteUrl === undefined) return false;
  if (account !== undefined)
    throw new UsageError('--account is for the database of this machine; a token belongs to one account.');
  return true;
}

/** Refuses commands that need the database itself: another one than DIALTREE_URL names must not be changed by mistake. */
export function refuseRemote({ remoteUrl }: Config, command: string): void {
  if (remoteUrl !== undefined)
    throw new CommandError(
      `"dialtree ${command}" works on the database itself: run it on the machine of the service, without DIALTREE_URL.`,
    );
}

export function serviceUrl(config: Config, { url }: RemoteValues): string {
  if (url !== undefined && !isHttpUrl(url))
    throw new UsageError(`--url is an address such as https://phones.example.com, not "${url}".`);
  return url ?? config.remoteUrl ?? addressOf(config);
}

export function addressOf({ host, port }: Config): string {
  return `http://${urlHost(host)}:${port}`;
}

/** A service that listens everywhere is here, too; an IPv6 address stands in brackets (RFC 3986 §3.2.2). */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** The token of this machine's service is sent to no other machine. */
function ownToken(config: Config, url: string): string {
  try {
    if (url !== addressOf(config) && !isHere(new URL(url).hostname)) throw new Error('elsewhere');
    return config.accessToken ?? readFileSync(join(config.dataDir, 'access-token'), 'utf8').trim();
  } catch {
    throw new CommandError('Say with which token: DIALTREE_TOKEN in the environment, or --token.');
  }
}

/** A name may begin like an address: 127.example.com is elsewhere. */
function isHere(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return address === 'localhost' || (isIP(address) !== 0 && isLoopback(address));
}

/** An answer that is no JSON goes to standard output as it comes. */
export async function pour(answer: Response): Promise<void> {
  for await (const piece of answer.body ?? []) if (!io().print(piece)) await io().drained();
}

export async function toArray<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** As a table of these members, or as JSON. */
export function show(
  rows: readonly object[],
  columns: readonly string[],
  { json }: RemoteValues,
  nothing: string,
): number {
  if (json) print(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) remark(`${nothing}\n`);
  else {
    const cells = rows.map((row) => columns.map((name) => cell((row as Record<string, unknown>)[name])));
    print(`${table([columns.map((name) => name.toUpperCase().replaceAll('_', ' ')), ...cells])}\n`);
  }
  return 0;
}

/** What callers sent may hold what a terminal would obey: control characters are not printed. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, '?');
}

export function said(
  answer: { readonly Message: string; readonly sip_password?: string },
  { json }: RemoteValues,
): number {
  print(json ? `${JSON.stringify(answer)}\n` : `${answer.Message}\n`);
  if (!json && answer.sip_password !== undefined) print(`SIP password: ${answer.sip_password}\n`);
  return 0;
}
