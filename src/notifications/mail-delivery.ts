// E-mail on its way to the SMTP server of SMTP_URL.
import { createTransport } from 'nodemailer';
import type { JobHandler, Verdict } from '../outbox/lane-runner.ts';
import type { Mail } from './mail.ts';

const CONNECT_MS = 10_000;

/** The Message-ID is made of the job's id, so that a duplicate can be recognised. */
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
      const { code, responseCode, message } = error as Error & { code?: string; responseCode?: number };
      // RFC 5321 §4.2.1: 5yz will not change. But a wrong password (RFC 4954 §6) is the operator's to correct, not the message's fault.
      const isRefused =
        code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500 && responseCode !== 530;
      return isRefused ? { dead: message } : { retry: message };
    }
  };
}
