// Notifications: stored once however many nodes see the same, together with the jobs that send them.
import type { Notification, NotificationType } from '../../domain/notification.ts';
import type { OutboxJob } from '../../domain/outbox-job.ts';

export interface NotificationPage {
  readonly accountId: string;
  /** Ids, as of the last page. */
  readonly before?: string;
  /** Those whose condition holds. */
  readonly open?: boolean;
  readonly limit: number;
}

export interface NotificationStorage {
  /** False: one of this type and subject is open already, and no job is stored. One that is closed is always stored. */
  openNotification(input: {
    readonly notification: Notification;
    readonly jobs: readonly OutboxJob[];
  }): Promise<boolean>;
  /** More rules are sent an open one: `sent` replaces what is stored. False: it is not open, or another node was first. */
  resendNotification(input: {
    readonly accountId: string;
    readonly id: string;
    readonly before: Notification['sent'];
    readonly sent: Notification['sent'];
    readonly jobs: readonly OutboxJob[];
  }): Promise<boolean>;
  /** False: it is closed already, and no job is stored. */
  closeNotification(input: {
    readonly accountId: string;
    readonly id: string;
    readonly atMs: number;
    readonly jobs: readonly OutboxJob[];
  }): Promise<boolean>;
  /** Lists the open notifications of all accounts, at most `limit`. */
  openNotifications(input: { readonly limit: number }): Promise<Notification[]>;
  /** The latest of this type and subject. */
  lastNotification(input: {
    readonly accountId: string;
    readonly type: NotificationType;
    readonly subject: string;
  }): Promise<Notification | null>;
  /** The latest first. */
  listNotifications(input: NotificationPage): Promise<Notification[]>;
  forgetNotifications(input: {
    readonly beforeMs: number;
    readonly limit: number;
  }): Promise<{ readonly forgotten: number }>;
}
