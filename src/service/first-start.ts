// The first start: one account, one token, and something to try. All of it is one transaction, so a start that is killed
// half-way leaves nothing, and of several nodes that start at once one does it.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { NEW_ACCOUNT_SETTINGS } from '../domain/account.ts';
import { newId } from '../domain/id.ts';
import type { Agent } from '../kinds/agent.ts';
import type { Department } from '../kinds/department.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import { numberKeys } from '../kinds/number-text.ts';
import type { Recording, SoundFacts } from '../kinds/recording.ts';
import { consoleLink, hashToken, makeLink, makeToken, newPassword, tokenOf } from '../kit/credentials.ts';
import { errorCode, makeFolder } from '../kit/data-folder.ts';
import { inPackage } from '../kit/in-package.ts';
import { ownCommand } from '../kit/own-command.ts';
import type { NewRecord } from '../storage/ports/records.ts';
import { storePrompt } from '../storage/ports/whole-prompt.ts';
import { type Storage, StorageError } from '../storage/storage.ts';

/** Fixed, so that nodes that start together mean the same one. */
const FIRST_ACCOUNT = 'default';
const TOKEN_FILE = 'access-token';
const ENVIRONMENT = 'ACCESS_TOKEN';
const USUAL_SIP_PORT = 5060;

/** Standard error: a terminal, or a file or log collector that others may read. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** What is printed. Secrets are printed on a terminal alone (T46); elsewhere it names the file or command that has them. */
export type Greeting = (sipPort: number) => string;

const NOTHING_NEW: Greeting = () => '';

export async function firstStart(
  config: Config,
  storage: Storage,
  address: string,
  isTerminal: boolean,
): Promise<Greeting> {
  const [account] = await storage.listAccounts();
  let greeting = NOTHING_NEW;
  if (account) {
    await finishKeeping(config.dataDir, storage);
    await isStored(keepEnvironmentToken(config, storage, account.id, Date.now()));
  } else greeting = await makeFirst(config, storage, address, isTerminal);
  const link = isTerminal ? await signInLink(storage, account?.id ?? FIRST_ACCOUNT, address) : null;
  const place = link ?? `${address}/\n  (${ownCommand()} sign-in prints a link that signs a browser in)`;
  const text = `\nConsole: ${place}\n${elsewhere(config.host, address)}`;
  return (sipPort) => greeting(sipPort) + text;
}

/** Null if it could not be stored. */
async function signInLink(storage: Storage, accountId: string, address: string): Promise<string | null> {
  const { secret, token } = makeLink(accountId, Date.now());
  if (!(await isStored(storage.createToken({ token })))) return null;
  return `${consoleLink(address, secret)}\n  (works once, within 15 minutes; ${ownCommand()} sign-in makes another)`;
}

/** False: the database refused, such as on a full disk. The service starts and takes calls nevertheless. */
async function isStored(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}

/** A service that listens everywhere is most likely opened from another computer, which this address does not lead to. */
function elsewhere(host: string, address: string): string {
  if (host !== '0.0.0.0' && host !== '::') return '';
  const { hostname } = new URL(address);
  return `  (from another computer, with the address of this one in place of ${hostname})\n`;
}

async function makeFirst(
  config: Config,
  storage: Storage,
  address: string,
  isTerminal: boolean,
): Promise<Greeting> {
  const nowMs = Date.now();
  const given = config.accessToken;
  const { secret, token } = given
    ? tokenOf(given, FIRST_ACCOUNT, ENVIRONMENT, nowMs)
    : makeToken(FIRST_ACCOUNT, 'first start', nowMs);
  const draft = given ? undefined : keepSecret(config.dataDir, token.id, secret);
  const { records, passwords, sounds } = config.demo
    ? demonstration(config.dataDir, nowMs)
    : NO_DEMONSTRATION;
  // Other nodes have other data folders.
  if (config.databaseUrl !== undefined)
    for (const [sha256, wav] of sounds) await storePrompt(storage, sha256, wav);
  const account = {
    id: FIRST_ACCOUNT,
    name: FIRST_ACCOUNT,
    createdAtMs: nowMs,
    settings: NEW_ACCOUNT_SETTINGS,
  };
  const { created } = await storage.createAccount({ account, token, records });
  if (!created) {
    if (draft) rmSync(draft, { force: true });
    return NOTHING_NEW;
  }
  const file = draft && nameSecret(config.dataDir, draft);
  return (sipPort) =>
    welcome(address, shownToken(secret, file, isTerminal)) +
    demonstrated(config, sipPort, passwords, isTerminal);
}

/** A token in the environment works from this start on; the one it replaces no longer does. */
async function keepEnvironmentToken(
  { accessToken }: Config,
  storage: Storage,
  accountId: string,
  nowMs: number,
): Promise<void> {
  if (accessToken === undefined) return;
  const hash = hashToken(accessToken);
  if ((await storage.listTokens()).some((token) => token.hash === hash)) return;
  const { token } = tokenOf(accessToken, accountId, ENVIRONMENT, nowMs);
  await storage.createToken({ token, replaceNamed: true });
}

/**
 * Written before the account is made: a process killed in between loses an unused token, never the only one. Under a
 * name of its own, since others may start at the same moment; the process that creates the account renames it.
 */
function keepSecret(dataDir: string, tokenId: string, secret: string): string {
  const draft = join(dataDir, `${TOKEN_FILE}.${tokenId}`);
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true });
  return draft;
}

function nameSecret(dataDir: string, draft: string): string {
  const file = join(dataDir, TOKEN_FILE);
  try {
    renameSync(draft, file);
  } catch (error) {
    // Another start, a moment later, has finished it for us.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return file;
}

/** A start that was killed after it made the account has left the only token under its draft's name. */
async function finishKeeping(dataDir: string, storage: Storage): Promise<void> {
  const drafts = readdirSync(dataDir).filter((name) => name.startsWith(`${TOKEN_FILE}.`));
  if (drafts.length === 0) return;
  const ids = new Set((await storage.listTokens()).map(({ id }) => id));
  for (const name of drafts) {
    const draft = join(dataDir, name);
    if (ids.has(name.slice(TOKEN_FILE.length + 1))) nameSecret(dataDir, draft);
    else rmSync(draft, { force: true });
  }
}

interface Demonstration {
  readonly records: readonly NewRecord[];
  /** By intercom number. Shown once, kept nowhere. */
  readonly passwords: ReadonlyMap<string, string>;
  /** By hash. */
  readonly sounds: ReadonlyMap<string, Buffer>;
}

const NO_DEMONSTRATION: Demonstration = { records: [], passwords: new Map(), sounds: new Map() };

interface DemoFile {
  readonly recordings: ({ id: string; name: string; file: string } & Omit<SoundFacts, 'sha256'>)[];
  readonly agents: { eid: string; intercom: string; name: string; team_id: number }[];
  readonly teams: { id: string; name: string }[];
  readonly departments: ({ id: string } & Department)[];
  readonly ivrs: { id: string }[];
  readonly numbers: { number: string; destination: string }[];
}

/** examples/demo.json as records; sounds go into the data folder under the hash of their content. */
function demonstration(dataDir: string, nowMs: number): Demonstration {
  const demo = JSON.parse(readFileSync(inPackage('examples/demo.json'), 'utf8')) as DemoFile;
  const record = (
    kind: NewRecord['kind'],
    id: string,
    data: object,
    keys: Record<string, string> = {},
  ): NewRecord => ({
    accountId: FIRST_ACCOUNT,
    kind,
    id,
    atMs: nowMs,
    json: JSON.stringify(data),
    ...(Object.keys(keys).length > 0
      ? { keys: Object.entries(keys).map(([name, value]) => ({ name, value })) }
      : {}),
  });
  const passwords = new Map<string, string>();
  const sounds = new Map<string, Buffer>();
  const records = [
    ...demo.recordings.map(({ id, name, file, ...facts }) => {
      const sound = readFileSync(inPackage(`examples/recordings/${file}`));
      const sha256 = keepSound(dataDir, sound);
      sounds.set(sha256, sound);
      const recording: Recording = { ...DEFAULTS.recording, name, source: 'file', sha256, ...facts };
      return record('recording', id, recording);
    }),
    ...demo.teams.map(({ id, name }) => record('team', id, { name }, { id })),
    ...demo.agents.map(({ eid, intercom, name, team_id }) => {
      const { password, sip } = newPassword(intercom);
      passwords.set(intercom, password);
      const agent: Agent = {
        ...DEFAULTS.agent,
        name,
        eid,
        intercom,
        team_id,
        sip,
      };
      return record('agent', newId(nowMs), agent, { eid, intercom });
    }),
    ...demo.departments.map(({ id, ...data }) => record('department', id, data)),
    ...demo.ivrs.map(({ id, ...data }) => record('ivr', id, data)),
    // Its id is the number, so that the documentation can show one that is there.
    ...demo.numbers.map((data) => ({
      ...record('number', data.number, data),
      keys: numberKeys(data.number),
    })),
  ];
  return { records, passwords, sounds };
}

function keepSound(dataDir: string, sound: Buffer): string {
  const sha256 = createHash('sha256').update(sound).digest('hex');
  const folder = join(dataDir, 'recordings');
  makeFolder(folder);
  const file = join(folder, `${sha256}.wav`);
  if (!existsSync(file)) writeFileSync(file, sound, { mode: 0o600, flush: true });
  return sha256;
}

/** The secret, or the words of a shell that give it; and the line about where it is. */
function shownToken(secret: string, file: string | undefined, isTerminal: boolean): [string, string] {
  if (file === undefined) return ['$ACCESS_TOKEN', 'Access token:\n  $ACCESS_TOKEN'];
  if (!isTerminal) return [`$(cat "${file}")`, `Access token: in ${file}, readable by you alone`];
  return [secret, `Access token (shown once; also in ${file}, readable by you alone):\n  ${secret}`];
}

function welcome(address: string, [secret, line]: [string, string]): string {
  const auth = `-H "Authorization: Bearer ${secret}"`;
  return `
Dialtree is running at ${address} for the first time.

${line}

Try it:
  curl -s ${auth} ${address}/v1/agents
  curl -s ${auth} ${address}/v1/ivrs

The API, to read and to try: ${address}/docs
`;
}

function demonstrated(
  { sip, sipHost }: Config,
  sipPort: number,
  passwords: Demonstration['passwords'],
  isTerminal: boolean,
): string {
  if (passwords.size === 0) return '';
  const phones = isTerminal
    ? [...passwords].map(([intercom, password]) => `  ${intercom}  ${password}`).join('\n')
    : `  ${ownCommand()} agent list; ${ownCommand()} agent password <eid>`;
  const which = isTerminal ? 'with the password beside it (shown once)' : 'with a password that this makes';
  const telephones = `
Hear it: call 100 from this machine, with any SIP phone (sip:100@${sipHost}:${sipPort}) or with
  ${ownCommand()} call 100 --keys 1${sipPort === USUAL_SIP_PORT ? '' : ` --server ${sipHost}:${sipPort}`}

Answer it: register a SIP phone at ${sipHost}:${sipPort} as one of the agents, ${which}:
${phones}
`;
  return `
The demonstration has the agents 1001 to 1003, two departments, four recordings, a menu, and the number 100 for it.
${sip ? telephones : ''}`;
}
