// The API for a command on the machine of the service: the same server over the opened database, asked without a socket and without a
// token. It has no telephones. The running service, if there is one, sees changes by their revisions, as those of another node.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import type { ApiContext } from '../api/http/handler.ts';
import { makeServer } from '../api/http/server.ts';
import { UnsentBytes } from '../api/http/unsent-bytes.ts';
import type { Config } from '../config/config.ts';
import type { Token } from '../domain/account.ts';
import { makeSafeFetch } from '../safe-fetch/safe-fetch.ts';
import type { Actor } from '../storage/ports/audit.ts';
import type { Storage } from '../storage/storage.ts';
import { type ContextParts, openContext, openRecordings } from './open-api.ts';
import { Resources } from './resources.ts';

export interface LocalApi {
  /** Rejects with the error itself where the API would answer that something went wrong on its side. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** `by`: who the audit names. What it may do in the account is everything. */
export async function openLocalApi(
  config: Config,
  storage: Storage,
  accountId: string,
  by: Pick<Actor, 'id' | 'name'>,
): Promise<LocalApi> {
  const failures = new Map<unknown, unknown>();
  const logger = keeping(failures);
  const resources = new Resources((err) => logger.warn({ err }, 'closing a resource failed'));
  const context = openLocalContext(config, storage, logger, resources);
  const token = tokenOf(accountId, by);
  const identify = () => context.access.identifyOperator(token);
  const server = makeServer({
    context,
    access: { identify, identifyBrowser: identify },
    unsent: new UnsentBytes(),
    nodeRequests: null,
    logger,
    logLine: undefined,
    rateLimit: 0,
    rateLimitLoopback: false,
    trustedProxies: [],
    maxConnections: 1,
  });
  resources.add(server, () => server.close());
  try {
    await server.ready();
  } catch (error) {
    await resources.close();
    throw error;
  }
  return {
    close: () => resources.close(),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const answer = await server.inject({
        method: methodOf(request),
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        payload: Buffer.from(await request.arrayBuffer()),
      });
      const requestId = answer.headers['x-request-id'];
      const failure = failures.get(requestId);
      if (failures.delete(requestId)) throw failure;
      const headers = new Headers();
      for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
      const { statusCode: status, rawPayload } = answer;
      return new Response(rawPayload.length > 0 ? new Uint8Array(rawPayload) : null, { status, headers });
    },
  };
}

/** Nothing is logged: what failed is what `fetch` rejects with. */
function keeping(failures: Map<unknown, unknown>): Logger {
  const keep = (facts: unknown): void => {
    if (typeof facts === 'object' && facts !== null && 'requestId' in facts && 'err' in facts)
      failures.set(facts.requestId, facts.err);
  };
  return pino({ level: 'error', hooks: { logMethod: ([facts]) => keep(facts) } });
}

const tokenOf = (accountId: string, { id, name }: Pick<Actor, 'id' | 'name'>): Token => ({
  id,
  accountId,
  name,
  use: 'api',
  parentId: null,
  scopes: ['admin'],
  hash: '',
  createdAtMs: 0,
  expiresAtMs: null,
  lastUsedAtMs: null,
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const methodOf = ({ method }: Request) => METHODS.find((each) => each === method) ?? 'GET';

/** Neither a call nor a mail begins here. */
const NO_TELEPHONES: ContextParts['telephone'] = {
  allowance: { take: () => false, secondsLeft: 0 },
  mayMail: async () => false,
  shareSignIn: () => undefined,
  metrics: async () => '',
  ping: async () => undefined,
};

/**
 * The variables of the service are not known here: what it may send, fetch and dial is decided by the service, when it does. An import
 * has checked its references together.
 */
function openLocalContext(
  config: Config,
  storage: Storage,
  logger: Logger,
  resources: Resources,
): ApiContext {
  const parts = { node: { id: 'command line', run: '' }, config, logger, running: { count: 0 } };
  const safeFetch = resources.add(makeSafeFetch({ allow: config.outboundAllow }), (opened) => opened.close());
  const dataDir = existsSync(config.dataDir) ? config.dataDir : temporaryFolder(resources);
  const context = openContext(
    { ...parts, storage, hooks: {}, telephone: NO_TELEPHONES },
    {
      unsent: new UnsentBytes(),
      safeFetch: { ...safeFetch, refusal: () => null },
      storage,
      recordings: openRecordings({ logger, config: { ...config, dataDir } }, storage, safeFetch, resources),
      lifecycle: { state: 'running', endless: new Set() },
      callControl: () => null,
      machines: async () => ({ machines: [], unanswered: [] }),
      disk: { freeBytes: Number.NaN, reserveBytes: 0, isLow: false },
      live: () => 1,
      sound: { folder: join(dataDir, 'captures'), node: null, store: null, storeAt: () => null, storage },
      spans: undefined,
    },
    resources,
  );
  return {
    ...context,
    capabilities: { sms: true, email: true, speech: true },
    maySipHost: () => true,
    checkedReferences: true,
  };
}

/** With PostgreSQL a command may run where the service has no data folder; it makes none. */
function temporaryFolder(resources: Resources): string {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  return resources.add(folder, () => rmSync(folder, { recursive: true, force: true }));
}
