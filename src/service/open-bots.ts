// Voice bots of calls: the thread of their WebSockets, with requests that are signed as webhooks are.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { BotThread } from '../bots/bot-thread.ts';
import type { WantedBot } from '../calls/bots/bot-streams.ts';
import { sealedPlace } from '../domain/sealed.ts';
import type { Sealer } from '../domain/sealer.ts';
import type { Clock } from '../kit/clock.ts';
import { signWebhook } from '../kit/webhook-signature.ts';
import type { Network } from '../safe-fetch/network.ts';

export interface BotParts {
  readonly allow: readonly Network[];
  readonly sealer: Sealer;
  readonly clock: Pick<Clock, 'epochMs'>;
  readonly logger: Logger;
  readonly traceparentOfCall?: ((callId: string) => string) | undefined;
}

export function openBots({ allow, sealer, clock, logger, traceparentOfCall }: BotParts): BotThread {
  return new BotThread({
    allow,
    headersOf: (wanted) => headersOf(wanted, sealer, clock.epochMs(), traceparentOfCall),
    died: (reason) => logger.error({ reason }, 'the thread of voice bots ended; their calls go on elsewhere'),
  });
}

/** The scheme of webhooks, whose body is the URL here: nothing else is sent with the request. Null: the secret cannot be opened. */
function headersOf(
  { accountId, callId, id, url, sealedSecret }: WantedBot,
  sealer: Sealer,
  atMs: number,
  traceparentOfCall: BotParts['traceparentOfCall'],
): { readonly [name: string]: string } | null {
  const plain = {
    'user-agent': 'Dialtree-Streams/1',
    'x-dialtree-call': callId,
    ...(traceparentOfCall ? { traceparent: traceparentOfCall(callId) } : {}),
  };
  if (sealedSecret === null) return plain;
  const secret = sealer.open(sealedSecret, sealedPlace('stream', accountId, id));
  if (secret === null) return null;
  const signed = signWebhook([secret], { id: randomUUID(), atMs, body: url });
  return { ...plain, ...signed, 'x-dialtree-signature': signed['webhook-signature'] };
}
