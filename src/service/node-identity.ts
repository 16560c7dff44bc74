// Which node this process is, and where the other nodes reach it.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { type Config, NODE_ID } from '../config/config.ts';
import { errorCode, makeDataFolder } from '../kit/data-folder.ts';
import type { NodeIdentity } from '../storage/ports/nodes.ts';
import { cannotUse, StartError } from './start-error.ts';

const FILE = 'node-id';
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** NODE_ID, or the one in DATA_DIR, which the first start makes. */
export function nodeIdentity({ nodeId, dataDir }: Pick<Config, 'nodeId' | 'dataDir'>): NodeIdentity {
  return { id: nodeId ?? storedId(dataDir), run: randomUUID() };
}

function storedId(dataDir: string): string {
  const file = join(dataDir, FILE);
  const made = `node-${randomBytes(6).toString('hex')}`;
  try {
    makeDataFolder(dataDir);
    // When two processes start at once in one folder, the second one finds the id of the first.
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return made;
  } catch (error) {
    // On a full disk the node has another id at its next start.
    if (errorCode(error) === 'ENOSPC') return made;
    if (errorCode(error) !== 'EEXIST') throw cannotUse(`DATA_DIR ${dataDir}`, error);
  }
  const id = readFileSync(file, 'utf8').trim();
  if (id === '') return made;
  if (NODE_ID.test(id)) return id;
  throw new StartError(`${file} is damaged: it holds no node id. Remove it, or set NODE_ID.`);
}

/** `port`: the one in use, also where the system chose it. */
export function nodeUrl({ nodeUrl: given, host }: Pick<Config, 'nodeUrl' | 'host'>, port: number): string {
  if (given !== undefined) return given.replace(/\/$/, '');
  const address = WILDCARDS.has(host) ? firstAddress(host) : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function firstAddress(wildcard: string): string {
  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const found = outside.find(({ family }) => family === 'IPv4') ?? outside[0];
  return found?.address ?? (wildcard === '::' ? '::1' : '127.0.0.1');
}
