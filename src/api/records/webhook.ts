// Webhooks: addresses of the account's own that are told what happens in calls.
import { newId } from '../../domain/id.ts';
import { Faults, isProblem, type Problem } from '../../domain/problem.ts';
import { readData } from '../../domain/row.ts';
import { webhookPlace } from '../../domain/sealer.ts';
import { OVERLAP_MS, type Webhook } from '../../domain/webhook.ts';
import { StorageError } from '../../storage/storage.ts';
import { makeWebhookSecret } from '../../webhook-signature.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { etagOf, expecting, versionChanged } from '../http/version.ts';
import { readRecord } from '../schemas/field.ts';
import { WEBHOOK_FIELDS } from '../schemas/webhook.ts';
import {
  addressOf,
  type Collection,
  type Completed,
  checkData,
  creating,
  unknownRecord,
  type Warning,
} from './collection.ts';

const MAX_ATTEMPTS = 5;

export const webhooks: Collection<'webhook'> = {
  kind: 'webhook',
  path: '/v1/webhook',
  listPath: '/v1/webhooks',
  read: readWebhook,
  makeId: (request) => newId(request.nowMs),
  warnings: async (webhook, request, context, id) => warningsOf(webhook, request, context, id),
  showsWarnings: true,
  answersId: true,
  refuse: async ({ url }, _ask, context) => refuseUrl(url, context),
  complete: withSecret,
  shown: ({ name, url, events, status }) => ({ name, url, events, status }),
  matches: ({ name, url }, needle) =>
    name.toLowerCase().includes(needle) || url.toLowerCase().includes(needle),
};

/** Without its secret, which is sealed when the webhook is stored. */
function readWebhook(body: ApiRequest['body']['value']): Webhook | Problem {
  const read = readRecord(WEBHOOK_FIELDS, body);
  if (isProblem(read)) return read;
  const { secret: _, events, ...webhook } = read;
  return { ...webhook, events: [...new Set(events)], sealed_secret: '' };
}

/** Names are not looked up: what they mean is asked at every delivery. */
function refuseUrl(url: string, { safeFetch }: ApiContext): Problem | null {
  const reason = safeFetch.refusal(url);
  if (reason === null) return null;
  const faults = new Faults();
  faults.add('/url', 'url_refused', `url cannot be used: ${reason}`);
  return faults.toProblem();
}

/** The secret that was sent, sealed. None was sent: the stored one stays. */
async function withSecret(
  webhook: Webhook,
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<Completed<Webhook>> {
  const secret = request.body.value['secret'];
  if (typeof secret === 'string')
    return { data: { ...webhook, sealed_secret: seal(secret, request, context, id) }, version: null };
  const row = await context.storage.getRecord(addressOf('webhook', request, id));
  if (!row) return { data: webhook, version: null };
  const { sealed_secret, former } = readData('webhook', row.json);
  return { data: { ...webhook, sealed_secret, ...(former ? { former } : {}) }, version: row.version };
}

function seal(secret: string, request: ApiRequest, { sealer }: ApiContext, id: string): string {
  try {
    return sealer.seal(secret, webhookPlace(request.account.id, id));
  } catch (error) {
    // The first secret makes the file of the key.
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StorageError(code === 'ENOSPC' ? 'full' : 'unavailable', message, { cause: error });
  }
}

function warningsOf(
  { sealed_secret: sealed }: Webhook,
  request: ApiRequest,
  { sealer }: ApiContext,
  id: string,
): Warning[] {
  // A new one is not sealed yet.
  if (sealed === '' || sealer.open(sealed, webhookPlace(request.account.id, id)) !== null) return [];
  const message =
    'The secret was sealed with another key than this one, so nothing can be sent: start with the SECRET_KEY or the file secret.key that it was stored with, or make a new secret.';
  return [{ pointer: '/secret', code: 'secret-sealed', message }];
}

/** As every creation, but a secret that we made is in the answer: in this one, not in what is kept of it. */
export const createWebhook: Handler = (request, context) => {
  if (typeof request.body.value['secret'] === 'string') return creating(webhooks)(request, context);
  return once('POST /v1/webhook', request, context, async (claim) => {
    const id = newId(request.nowMs);
    const data = readWebhook(request.body.value);
    const checked = isProblem(data) ? data : await checkData(webhooks, data, request, context, id);
    if (isProblem(checked)) return checked;
    const secret = makeWebhookSecret();
    const headers = { location: `/v1/webhook/${id}` };
    const idempotency = claim(done(201, 'Webhook created.', { headers, members: { id } }));
    const result = await context.storage.createRecord({
      ...addressOf('webhook', request, id),
      atMs: request.nowMs,
      json: JSON.stringify({ ...checked.data, sealed_secret: seal(secret, request, context, id) }),
      ...(idempotency ? { idempotency } : {}),
    });
    const message = 'Webhook created. Its secret is shown this once.';
    return { result, response: done(201, message, { headers, members: { id, secret } }) };
  });
};

/** The former secret signs too for a day, so that no delivery is refused while the receiver changes. */
export const renewWebhookSecret: Handler = async (request, context) => {
  const expected = expecting(request);
  if (isProblem(expected)) return expected;
  const address = addressOf('webhook', request);
  const secret = makeWebhookSecret();
  for (let attempt = 1; ; attempt++) {
    const row = await context.storage.getRecord(address);
    if (!row) return unknownRecord('webhook');
    const data = readData('webhook', row.json);
    const former = { sealed_secret: data.sealed_secret, until_ms: request.nowMs + OVERLAP_MS };
    const result = await context.storage.updateRecord({
      ...address,
      expectedVersion: row.version,
      ...expected,
      atMs: request.nowMs,
      json: JSON.stringify({ ...data, sealed_secret: seal(secret, request, context, address.id), former }),
    });
    if (result.outcome === 'updated') {
      const message = 'New secret; it is shown this once. For a day the former one signs too.';
      return done(200, message, { headers: { etag: etagOf(result.version) }, members: { secret } });
    }
    if (result.outcome !== 'version_changed') return unknownRecord('webhook');
    if (expected.expectedVersion !== undefined || attempt === MAX_ATTEMPTS)
      return versionChanged(result.version);
  }
};
