// Webhooks: URLs of the account that get the events of its calls.

import { readData } from '../../domain/row.ts';
import { sealedPlace } from '../../domain/sealed.ts';
import { OVERLAP_MS } from '../../domain/webhook.ts';
import { readRecord } from '../../kinds/field.ts';
import { FIELDS } from '../../kinds/fields.ts';
import { Faults, isProblem } from '../../kinds/problem.ts';
import { makeWebhookSecret } from '../../kit/webhook-signature.ts';
import type { Handler } from '../http/handler.ts';
import { addressOf, change } from './collection.ts';
import { plain } from './plain.ts';
import { sealFor } from './seal.ts';

export const webhooks = plain('webhook', {
  /** Without its secret, which is sealed when the webhook is stored. */
  read(body) {
    const read = readRecord(FIELDS.webhook, body);
    if (isProblem(read)) return read;
    const { secret: _, events, ...webhook } = read;
    return { ...webhook, events: [...new Set(events)], sealed_secret: '' };
  },
  async warnings({ sealed_secret: sealed }, request, { sealer }, id) {
    // A new one is not sealed yet.
    if (sealed === '' || sealer.open(sealed, sealedPlace('webhook', request.account.id, id)) !== null)
      return [];
    const message =
      'The secret was sealed with another key than this one, so nothing can be sent: start with the SECRET_KEY or the file secret.key that it was stored with, or make a new secret.';
    return [{ pointer: '/secret', code: 'secret-sealed', message }];
  },
  showsWarnings: true,
  /** Names are not looked up: what they mean is asked at every delivery. */
  async refuse({ url }, _request, { safeFetch }) {
    const reason = safeFetch.refusal(url);
    if (reason === null) return null;
    const faults = new Faults();
    faults.add('/url', 'url_refused', `url cannot be used: ${reason}`);
    return faults.toProblem();
  },
  /** The secret that was sent, sealed. None was sent: a new webhook gets one, which is shown once; else the stored one stays. */
  async complete(webhook, request, context, id) {
    const place = sealedPlace('webhook', request.account.id, id);
    const secret = request.body.value['secret'];
    if (typeof secret === 'string')
      return { data: { ...webhook, sealed_secret: sealFor(context, place, secret) }, version: null };
    if (request.params['id'] === undefined) {
      const made = makeWebhookSecret();
      return {
        data: { ...webhook, sealed_secret: sealFor(context, place, made) },
        version: null,
        shownOnce: { message: 'Its secret is shown this once.', members: { secret: made } },
      };
    }
    const row = await context.storage.getRecord(addressOf('webhook', request, id));
    if (!row) return { data: webhook, version: null };
    const { sealed_secret, former } = readData('webhook', row.json);
    return { data: { ...webhook, sealed_secret, ...(former ? { former } : {}) }, version: row.version };
  },
  // Refused: deliveries are always signed.
  unset: { secret: '' },
  shown: ({ name, url, events, status }) => ({ name, url, events, status }),
});

/** The former secret signs too for a day, so that no delivery is refused while the receiver changes. */
export const renewWebhookSecret: Handler = (request, context) => {
  const secret = makeWebhookSecret();
  return change(webhooks, request, context, ({ id, data }) => {
    const former = { sealed_secret: data.sealed_secret, until_ms: request.nowMs + OVERLAP_MS };
    return {
      data: {
        ...data,
        sealed_secret: sealFor(context, sealedPlace('webhook', request.account.id, id), secret),
        former,
      },
      message: 'New secret; it is shown this once. For a day the former one signs too.',
      shownOnce: { secret },
    };
  });
};
