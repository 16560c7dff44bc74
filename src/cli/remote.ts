// The running service, asked over HTTP by commands: on this machine unless --url says otherwise.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient, DialtreeError } from '../../client/client.ts';
import type { Config } from '../config.ts';
import { CommandError, table } from './command.ts';

export const REMOTE_OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const REMOTE_DETAILS = [
  '--url <address>   the service; default: this machine, at PORT.',
  '--token <token>   default: ACCESS_TOKEN, or the one kept in DATA_DIR at the first start.',
  '--json            the answer as it came, for programs.',
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
  work: (dialtree: Client) => Promise<T>,
): Promise<T> {
  const url = values.url ?? addressOf(config);
  const token = values.token ?? config.accessToken ?? keptToken(config.dataDir);
  try {
    return await work(createClient({ url, token }));
  } catch (error) {
    if (error instanceof DialtreeError) throw new CommandError(error.message);
    if (error instanceof TypeError && error.message === 'fetch failed')
      throw new CommandError(
        `Nothing answers at ${url}: is the service running? Say where it is with --url.`,
      );
    throw error;
  }
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

function keptToken(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, 'access-token'), 'utf8').trim();
  } catch {
    throw new CommandError('Say with which token: --token, or ACCESS_TOKEN in the environment.');
  }
}

/** An answer that is no JSON goes to standard output as it comes. */
export async function pour(answer: Response): Promise<void> {
  for await (const piece of answer.body ?? [])
    if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once('drain', resolve));
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
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) process.stderr.write(`${nothing}\n`);
  else {
    const cells = rows.map((row) => columns.map((name) => cell((row as Record<string, unknown>)[name])));
    process.stdout.write(
      `${table([columns.map((name) => name.toUpperCase().replaceAll('_', ' ')), ...cells])}\n`,
    );
  }
  return 0;
}

/** What callers sent may hold what a terminal would obey: control characters are not printed. */
function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, '?');
}

export function said(
  answer: { readonly Message: string; readonly sip_password?: string },
  { json }: RemoteValues,
): number {
  process.stdout.write(json ? `${JSON.stringify(answer)}\n` : `${answer.Message}\n`);
  if (!json && answer.sip_password !== undefined)
    process.stdout.write(`SIP password: ${answer.sip_password}\n`);
  return 0;
}
