// Webhooks: URLs of the account that get the events of its calls.
import { Faults, isProblem, type Problem } from '../../domain/problem.ts';
import { readData } from '../../domain/row.ts';
import { webhookPlace } from '../../domain/sealer.ts';
import { OVERLAP_MS, type Webhook } from '../../domain/webhook.ts';
import { StorageError } from '../../storage/storage.ts';
import { makeWebhookSecret } from '../../webhook-signature.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { readRecord } from '../schemas/field.ts';
import { WEBHOOK_FIELDS } from '../schemas/webhook.ts';
import { addressOf, type Collection, type Completed, change } from './collection.ts';
import type { Warning } from './warnings.ts';

export const webhooks: Collection<'webhook'> = {
  kind: 'webhook',
  path: '/v1/webhook',
  listPath: '/v1/webhooks',
  read: readWebhook,
  warnings: async (webhook, request, context, id) => warningsOf(webhook, request, context, id),
  showsWarnings: true,
  refuse: async ({ url }, _request, context) => refuseUrl(url, context),
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

/** The secret that was sent, sealed. None was sent: a new webhook gets one, which is shown once; else the stored one stays. */
async function withSecret(
  webhook: Webhook,
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<Completed<Webhook>> {
  const secret = request.body.value['secret'];
  if (typeof secret === 'string')
    return { data: { ...webhook, sealed_secret: seal(secret, request, context, id) }, version: null };
  if (request.params['id'] === undefined) {
    const made = makeWebhookSecret();
    return {
      data: { ...webhook, sealed_secret: seal(made, request, context, id) },
      version: null,
      shownOnce: { message: 'Its secret is shown this once.', members: { secret: made } },
    };
  }
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

/** The former secret signs too for a day, so that no delivery is refused while the receiver changes. */
export const renewWebhookSecret: Handler = (request, context) => {
  const secret = makeWebhookSecret();
  return change(webhooks, request, context, ({ id, data }) => {
    const former = { sealed_secret: data.sealed_secret, until_ms: request.nowMs + OVERLAP_MS };
    return {
      data: { ...data, sealed_secret: seal(secret, request, context, id), former },
      message: 'New secret; it is shown this once. For a day the former one signs too.',
      members: { secret },
    };
  });
};
