// What leaves the service: events of calls become jobs of the outbox, and each lane of the outbox has its handler:
// SMS, webhooks, e-mail.
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { Numbering } from '../domain/numbering.ts';
import type { Sealer } from '../domain/sealer.ts';
import type { Words } from '../domain/words/words.ts';
import { systemClock } from '../kit/clock.ts';
import { EventOutbox } from '../notifications/event-outbox.ts';
import { mailJobs } from '../notifications/mail.ts';
import { WEBHOOK_LANE, webhookDelivery } from '../notifications/webhook-delivery.ts';
import { webhookJobs } from '../notifications/webhook-jobs.ts';
import { PATIENCE } from '../outbox/back-off.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { DAY_MS, MINUTE_MS } from '../sharing/ports/allowance.ts';
import type { GatewayUser, SmsGateway } from '../sms/gateway.ts';
import { SmsSender } from '../sms/sender.ts';
import type { Storage } from '../storage/storage.ts';
import type { Sharing } from './open-sharing.ts';

/** After a crash a message in flight waits so long, and a little more, before it is sent again. */
const SMS_TRY_MS = 15_000;

export interface DeliveryParts {
  readonly config: Config;
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly safeFetch: SafeFetch;
  readonly smsSettled: (outcome: 'sent' | 'failed') => void;
  readonly traceparentOfCall: ((callId: string) => string) | undefined;
}

/** Each lane gets its handler. Returns the SMS gateway, for closing; null: none is configured. */
export async function serveLanes(outbox: Outbox, parts: DeliveryParts): Promise<SmsGateway | null> {
  const { config, storage, sealer, safeFetch, logger, smsSettled } = parts;
  const deliver = webhookDelivery({
    storage,
    sealer,
    clock: systemClock,
    fetchSafely: safeFetch.fetchSafely,
    traceparentOfCall: parts.traceparentOfCall,
  });
  outbox.serve('webhook', deliver, WEBHOOK_LANE);
  if (config.smtpUrl !== undefined) {
    const { mailDelivery } = await import('../notifications/mail-delivery.ts');
    outbox.serve('email', mailDelivery(config.smtpUrl, config.mailFrom, sealer));
  }
  const gateway = await openGateway(config, logger, (receipts) => sender.received(receipts));
  const sender = new SmsSender({
    storage,
    gateway,
    numberingOf: numberings(storage),
    epochMs: Date.now,
    patience: PATIENCE,
    settled: smsSettled,
  });
  outbox.serve('sms', sender.handle, { tryMs: SMS_TRY_MS });
  return gateway;
}

/** Settings change rarely: they are read again when the revision of `access` rises. */
function numberings(storage: Storage): (accountId: string) => Promise<Numbering> {
  let known = { revision: -1, byAccount: new Map<string, Numbering>() };
  return async (accountId) => {
    const [revision = 0] = await storage.revisions(['access']);
    if (revision !== known.revision) {
      const accounts = await storage.listAccounts();
      const byAccount = new Map<string, Numbering>();
      for (const { id, settings } of accounts)
        byAccount.set(id, new Numbering({ ...DEFAULT_SETTINGS, ...settings }));
      known = { revision, byAccount };
    }
    return known.byAccount.get(accountId) ?? Numbering.NONE;
  };
}

async function openGateway(
  { sms, smsSender: from }: Config,
  logger: Logger,
  received: GatewayUser['received'],
): Promise<SmsGateway | null> {
  if (!sms) return null;
  if (sms.protocol === 'http') {
    const { HttpGateway } = await import('../sms/http/http-gateway.ts');
    return new HttpGateway({ ...sms, sender: from });
  }
  const { SmppGateway } = await import('../sms/smpp/smpp-gateway.ts');
  const user: GatewayUser = { received, log: (level, text) => logger[level](text) };
  return new SmppGateway({ ...sms, sender: from }, user, systemClock);
}

export function makeEventOutbox(
  config: Config,
  storage: Storage,
  logger: Logger,
  webhooksOf: (accountId: string) => Parameters<typeof webhookJobs>[0],
  words: (accountId: string) => Words,
  mayMail: MayMail,
): EventOutbox {
  const mails = mailJobs(
    config.smtpUrl !== undefined,
    () => logger.warn('a voicemail box has an e-mail address, but SMTP_URL is not set: no e-mail is sent'),
    words,
  );
  return new EventOutbox({
    storage,
    clock: systemClock,
    jobsFor: (event) => webhookJobs(webhooksOf(event.accountId), event),
    limitedJobsFor(event) {
      // One e-mail at most.
      const jobs = event.type === 'voicemail.received' ? mails(event) : [];
      if (jobs.length === 0) return jobs;
      return mayMail(event.accountId).then((isAllowed) => (isAllowed ? jobs : []));
    },
    failed: (err, waiting) => logger.warn({ err, waiting }, 'call events not written; retrying'),
    dropped: (jobs) => {
      // At every power of two, or it would flood the log.
      if (Math.log2(jobs) % 1 === 0) logger.error({ jobs }, 'call events lost: queue full');
    },
  });
}

/** Whether an account may send one more e-mail now (threat T48): its address may be a stranger's, and callers cause it for nothing. */
export type MayMail = (accountId: string) => Promise<boolean>;

/** All that an account sends counts together. */
export function mailLimits(
  { mailPerMinute, mailPerDay }: Config,
  allowanceOf: Sharing['allowance'],
  logger: Logger,
  refused: () => void,
): MayMail {
  const minute = allowanceOf({ name: 'e-mail per minute', most: mailPerMinute, periodMs: MINUTE_MS });
  const day = allowanceOf({ name: 'e-mail per day', most: mailPerDay, periodMs: DAY_MS });
  let count = 0;
  return async (accountId) => {
    if ((await minute.take(accountId)) && (await day.take(accountId))) return true;
    refused();
    count += 1;
    if (Math.log2(count) % 1 === 0)
      logger.warn({ accountId, count }, 'e-mail not sent: limit of the account');
    return false;
  };
}
