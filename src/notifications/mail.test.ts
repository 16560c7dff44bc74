import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PublishedEvent } from '../calls/events/call-events.ts';
import type { PromptLanguage } from '../domain/account.ts';
import type { ClaimedJob, OutboxJob } from '../domain/outbox-job.ts';
import { wordsOf } from '../domain/words/words.ts';
import { isAddress, mailJobs } from './mail.ts';
import { mailDelivery } from './mail-delivery.ts';

interface Session {
  readonly envelope: { readonly rcptTo: readonly { readonly address: string }[] };
}
type Done = (error?: Error | null) => void;
interface SmtpServer {
  readonly server: Server;
  listen(port: number, host: string, ready: () => void): void;
  close(closed: () => void): void;
}
// The package has no types of its own.
const { SMTPServer } = createRequire(import.meta.url)('smtp-server') as {
  SMTPServer: new (options: {
    authOptional: boolean;
    allowInsecureAuth: boolean;
    disabledCommands: string[];
    onRcptTo: (address: { address: string }, session: Session, done: Done) => void;
    onData: (stream: Readable, session: Session, done: Done) => void;
  }) => SmtpServer;
};

interface Received {
  readonly to: readonly string[];
  readonly text: string;
}
let received: Received[];
let refuseWith: number | null;
let smtp: SmtpServer;
let url: string;

beforeEach(async () => {
  received = [];
  refuseWith = null;
  smtp = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refuseWith === null ? null : Object.assign(new Error('no'), { responseCode: refuseWith })),
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.on('data', (bytes) => {
        text += String(bytes);
      });
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise<void>((resolve) => smtp.close(resolve)));

function voicemail(changes: object = {}, call: object = {}): PublishedEvent {
  return {
    id: 'event',
    type: 'voicemail.received',
    accountId: 'a',
    callId: 'c',
    atMs: Date.UTC(2026, 11, 24, 18),
    data: {
      call: { caller: '+4930123', caller_name: 'Asha', dialled: '100', ...call },
      voicemail: { id: 'v1', box: 'support', duration_ms: 12_345, audio: '/v1/voicemail/v1/audio' },
      email: 'desk@example.com',
      ...changes,
    },
  };
}

const english = () => wordsOf({ language: 'en' });
const NO_SEALER = { seal: (text: string) => text, open: () => null };
const claimed = (job: OutboxJob): ClaimedJob => ({
  ...job,
  attempts: 1,
  failures: 0,
  queuedAtMs: job.createdAtMs,
});
const send = async (event: PublishedEvent, language: PromptLanguage = 'en') => {
  const [job] = mailJobs(
    true,
    () => undefined,
    () => wordsOf({ language }),
  )(event);
  if (!job) throw new Error('There is nothing to send.');
  return mailDelivery(url, 'dialtree@example.org', NO_SEALER)(claimed(job), new AbortController().signal);
};

describe('a message in a box with an e-mail address', () => {
  it('is told to that address: who called, when, how long, and where to listen', async () => {
    expect(await send(voicemail())).toBe('done');
    expect(received.map(({ to }) => to)).toEqual([['desk@example.com']]);
    const [{ text } = { text: '' }] = received;
    expect(text).toMatch(/^From: dialtree@example\.org\r$/m);
    expect(text).toMatch(/^Subject: New voicemail from \+4930123\r$/m);
    expect(text).toMatch(/^Message-ID: <event\.email@example\.org>\r$/m);
    for (const part of ['+4930123 (Asha)', '2026-12-24T18:00:00.000Z', '12 s', 'GET /v1/voicemail/v1/audio'])
      expect(text).toContain(part);
  });

  it('is told in the language of the account', async () => {
    expect(await send(voicemail(), 'hi')).toBe('done');
    const [{ text } = { text: '' }] = received;
    const [headers = '', body = ''] = text.split('\r\n\r\n');
    expect(headers).toMatch(/^Subject: =\?UTF-8\?/m);
    const plain = decodeURIComponent(body.replace(/=\r\n/g, '').replaceAll('=', '%'));
    expect(plain).toMatch(/^अवधि: +12 सेकंड\r$/m);
  });

  it('adds no header and no receiver, whatever the caller is called', async () => {
    const evil = 'x\r\nBcc: thief@example.net\r\n\r\nhello';
    expect(await send(voicemail({}, { caller: evil, caller_name: evil }))).toBe('done');
    const [mail] = received;
    expect(mail?.to).toEqual(['desk@example.com']);
    const [headers = ''] = mail?.text.split('\r\n\r\n') ?? [];
    expect(headers).not.toMatch(/^Bcc/im);
    expect(headers.split('\r\n').filter((line) => /^Subject:/i.test(line))).toHaveLength(1);
  });

  it('is tried again when the server is busy or away, and given up when it refuses', async () => {
    refuseWith = 451;
    expect(await send(voicemail())).toHaveProperty('retry');
    refuseWith = 550;
    expect(await send(voicemail())).toHaveProperty('dead');
    // Whoever runs the service may set the right password within the day.
    url = url.replace('//', '//user:wrong@');
    expect(await send(voicemail())).toHaveProperty('retry');
    url = 'smtp://127.0.0.1:1';
    expect(await send(voicemail())).toHaveProperty('retry');
  });

  // Threat T64.
  it('runs no program and reads no file, whatever the URL of the server says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dialtree-mail-'));
    const made = join(folder, 'made');
    try {
      for (const query of [
        `sendmail=true&path=/bin/sh&args=-c&args=${encodeURIComponent(`touch ${made}`)}`,
        'jsonTransport=true',
        'streamTransport=true',
      ]) {
        const plain = url;
        url = `${plain}/?${query}`;
        await expect(send(voicemail())).rejects.toThrow('SMTP_URL');
        url = plain;
      }
      expect(existsSync(made)).toBe(false);
      expect(received).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is told to nobody without a server, which is noted once', () => {
    let noted = 0;
    const jobs = mailJobs(
      false,
      () => {
        noted += 1;
      },
      english,
    );
    expect([jobs(voicemail()), jobs(voicemail())]).toEqual([[], []]);
    expect(noted).toBe(1);
  });

  it('is told to nobody when the box has no address, or something that is not one', () => {
    const jobs = mailJobs(true, () => undefined, english);
    for (const email of [undefined, null, '', 'nobody', 'a@b, c@d'])
      expect(jobs(voicemail({ email }))).toEqual([]);
  });
});

it.each(['a@b', 'a.b+c@d.example', 'ä@ö.example'])('%s is an address', (text) => {
  expect(isAddress(text)).toBe(true);
});
it.each([
  'a',
  '@b',
  'a@',
  'a@b@c',
  'a b@c',
  'a@b,c@d',
  'A <a@b>',
  'a@b\r\nBcc: c@d',
  '"a"@b',
  `${'x'.repeat(65)}@b`,
])('"%s" is none', (text) => {
  expect(isAddress(text)).toBe(false);
});
