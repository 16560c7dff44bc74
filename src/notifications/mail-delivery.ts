// E-mail on its way to the SMTP server of SMTP_URL.
import { createTransport } from 'nodemailer';
import { mailPlace, type Sealer } from '../domain/sealer.ts';
import type { JobHandler, Verdict } from '../outbox/lane-runner.ts';
import type { Mail, SealedMail } from './mail.ts';
import { readSmtpUrl } from './smtp-url.ts';

const CONNECT_MS = 10_000;

/** The Message-ID is made of the job's id, so that a duplicate can be recognised. */
export function mailDelivery(smtpUrl: string, from: string, sealer: Sealer): JobHandler {
  const server = readSmtpUrl(smtpUrl);
  if (!server) throw new Error('SMTP_URL cannot be used');
  // Never the URL itself: see smtp-url.ts.
  const transport = createTransport({
    ...server,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: CONNECT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return async ({ accountId, id, json }): Promise<Verdict> => {
    const { to, subject, html, ...body } = JSON.parse(json) as Mail | SealedMail;
    const text = 'sealed' in body ? sealer.open(body.sealed, mailPlace(accountId, id)) : body.text;
    if (text === null) return { dead: 'The text was sealed with another SECRET_KEY.' };
    try {
      const messageId = `<${id}@${domain}>`;
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        messageId,
      });
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
