// Notifications of this node: what is looked at, who says when it is over, and what becomes of them.
import type { Logger } from 'pino';
import { OperatorAccount } from '../api/account/operator.ts';
import type { CallService } from '../calls/call-service.ts';
import type { PublishedEvent } from '../calls/events/call-events.ts';
import { observe } from '../calls/operator/observations.ts';
import type { Config } from '../config/config.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { MAX_OPEN as MAX_OPEN_CALLBACKS } from '../domain/callback.ts';
import {
  type AccountObservation,
  DEFAULT_RULES,
  NO_FACTS,
  type Notification,
  type NotificationRule,
} from '../domain/notification.ts';
import { wordsOf } from '../domain/words/words.ts';
import { systemClock } from '../kit/clock.ts';
import type { DiskSpace } from '../kit/disk-space.ts';
import { NotificationMonitor } from '../notifications/notification-monitor.ts';
import type { NodeIdentity } from '../storage/ports/nodes.ts';
import type { Storage } from '../storage/storage.ts';
import type { MayMail } from './open-deliveries.ts';
import type { Resources } from './resources.ts';

/** The lease of the node that closes them; longer than some looks, and it ends early with the node. */
const LEASE = { name: 'notifications', seconds: 30 };

export interface NotificationParts {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly config: Config;
  readonly node: NodeIdentity;
  readonly disk: DiskSpace;
  readonly mayMail: MayMail;
  /** Null if SIP is off. */
  readonly callService: CallService | null;
}

export function openNotifications(core: NotificationParts, resources: Resources): NotificationMonitor {
  const { storage, logger, config, node, disk, mayMail } = core;
  const operator = new OperatorAccount(storage);
  const observeDisk = async (): Promise<AccountObservation[]> => {
    const free = disk.freePercent;
    const accountId = await operator.id();
    if (free === null || accountId === undefined) return [];
    const facts = { ...NO_FACTS, free_percent: free };
    return [{ accountId, type: 'disk_nearly_full', subject: `node||${node.id}`, name: node.id, facts }];
  };
  const callbacksOf = async (accountId: string, department: string): Promise<string[]> =>
    (await storage.listCallbacks({ accountId, department, open: true, limit: MAX_OPEN_CALLBACKS })).map(
      ({ callId }) => callId,
    );
  const monitor = new NotificationMonitor({
    storage,
    clock: systemClock,
    rulesOf: (accountId) => rulesOf(core, accountId),
    wordsOf: (accountId) =>
      wordsOf(core.callService?.routes.account(accountId)?.settings ?? DEFAULT_SETTINGS),
    observe: async (open) => {
      const { callService } = core;
      const epochMs = (): number => systemClock.epochMs();
      if (!callService) return observeDisk();
      const { callsOf, trunkState, queueOf } = callService.control;
      const parts = {
        callsOf,
        trunkState,
        queueOf,
        callbacksOf,
        accounts: callService.routes.accounts(),
        epochMs,
      };
      return [...(await observe(parts, queuesOf(open))), ...(await observeDisk())];
    },
    isOurs: async ({ type, subject }) => {
      if (!config.cluster) return true;
      if (type === 'disk_nearly_full') return subject === `node||${node.id}`;
      return (await storage.takeLease({ ...LEASE, node: node.id })).taken;
    },
    mayMail: async (accountId) => config.smtpUrl !== undefined && (await mayMail(accountId)),
    publish: (accountId, event, details) =>
      core.callService?.callEvents.publishNotification(accountId, event, event.notification.id, details),
    failed: (err) => logger.warn({ err }, 'notifications not read or written; retrying'),
  });
  core.callService?.callEvents.subscribe(
    (event) => {
      const message = messageOf(event);
      if (message)
        monitor
          .happened(message)
          .catch((err: unknown) => logger.warn({ err }, 'notification of a voicemail message lost'));
    },
    (_account, type) => type === 'voicemail.received',
  );
  monitor.open();
  return resources.add(monitor, (opened) => opened.close());
}

/** Without SIP no routes are read: the disk has the default rules then. */
const rulesOf = ({ callService }: NotificationParts, accountId: string): readonly NotificationRule[] =>
  callService?.routes.account(accountId)?.settings.notification_rules ?? DEFAULT_RULES;

function queuesOf(open: readonly Notification[]): Map<string, Set<string>> {
  const queues = new Map<string, Set<string>>();
  for (const { accountId, type, subject } of open)
    if (type === 'queue_too_long')
      queues.set(accountId, (queues.get(accountId) ?? new Set<string>()).add(subject));
  return queues;
}

function messageOf({ accountId, data }: PublishedEvent): AccountObservation | null {
  const { voicemail, call } = data as {
    voicemail?: { id?: string; box?: string | null; box_name?: string | null };
    call?: { caller?: string | null };
  };
  if (!voicemail?.box) return null;
  const facts = { ...NO_FACTS, caller: call?.caller ?? null, message: voicemail.id ?? null };
  const name = voicemail.box_name ?? voicemail.box;
  return { accountId, type: 'voicemail_received', subject: `voicemail||${voicemail.box}`, name, facts };
}
