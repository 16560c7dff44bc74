// E-mail on its way to the SMTP server of SMTP_URL.
import { createTransport } from 'nodemailer';
import type { JobHandler, Verdict } from '../outbox/lane-runner.ts';
import type { Mail } from './mail.ts';

const CONNECT_MS = 10_000;

/** The id of the message is that of the job: whoever gets it twice can tell. */
export function mailDelivery(smtpUrl: string, from: string): JobHandler {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: CONNECT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return async ({ id, json }): Promise<Verdict> => {
    const { to, subject, text } = JSON.parse(json) as Mail;
    try {
      const messageId = `<${id}@${domain}>`;
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, messageId });
      return 'done';
    } catch (error) {
      const { responseCode, message } = error as Error & { responseCode?: number };
      // RFC 5321 §4.2.1: 5yz will not change.
      return responseCode !== undefined && responseCode >= 500 ? { dead: message } : { retry: message };
    }
  };
}
