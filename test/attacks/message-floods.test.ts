// Floods of SMS and e-mail of one account, while what they are sent to does not answer: they are limited, and another account's
// message is sent at once.
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PhoneBed, tones } from '../calls/support/phone-bed.ts';
import { figure } from '../support/figure.ts';
import { call, type Reply, runProcess } from '../support/service.ts';

const SMS_PER_MINUTE = 40;
const MAIL_PER_MINUTE = 5;
const FLOOD = { sms: 400, voicemails: 24 };
const CALLS_AT_ONCE = 8;
const STALLED = { sms: '+4999', mail: 'flood.example' };

type Done = (error?: Error | null) => void;
type Session = { readonly envelope: { readonly rcptTo: { readonly address: string }[] } };
interface Smtp {
  listen(port: number, host: string, then: () => void): { address(): AddressInfo };
  close(): void;
}
const { SMTPServer } = createRequire(import.meta.url)('smtp-server') as {
  SMTPServer: new (options: {
    authOptional: boolean;
    disabledCommands: string[];
    onData: (stream: Readable, session: Session, done: Done) => void;
  }) => Smtp;
};

const { hz, recordings } = tones(200, 'greeting', 'caller');
/** What came, and what is held without an answer. */
const mails: string[] = [];
const texts: string[] = [];
const held: (() => void)[] = [];
let smtp: Smtp;
let gateway: Server;
let bed: PhoneBed;
let other: string;

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      stream.resume();
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address).join();
        mails.push(to);
        if (to.endsWith(STALLED.mail)) held.push(() => done());
        else done();
      });
    },
  });
  const mailPort = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => resolve(listening.address().port));
  });
  gateway = createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += String(bytes);
    const { to } = JSON.parse(body) as { to: string };
    texts.push(to);
    const answer = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    if (to.startsWith(STALLED.sms)) held.push(answer);
    else answer();
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_PER_MINUTE: String(MAIL_PER_MINUTE),
    SMS_URL: `http://:secret@127.0.0.1:${(gateway.address() as AddressInfo).port}/`,
    SMS_PER_MINUTE: String(SMS_PER_MINUTE),
  };
  bed = await PhoneBed.open({ recordings, env });
  const made = await runProcess(['account', 'create', 'other'], { dataDir: bed.pbx.dataDir });
  other = made.out.trim();
  await runProcess(['account', 'limits', 'other', 'private_networks=on'], { dataDir: bed.pbx.dataDir });
});

afterAll(async () => {
  for (const answer of held) answer();
  await bed?.close();
  smtp?.close();
  gateway?.close();
});

const asOther = (method: string, path: string, body: object): Promise<Reply> =>
  call(bed.pbx.url, method, path, { body, token: other });

/** Milliseconds until it is true. */
async function within(what: string, isTrue: () => boolean): Promise<number> {
  const startedMs = performance.now();
  await bed.until(what, async () => isTrue());
  return performance.now() - startedMs;
}

it('T48: a flood of SMS is limited, and another account’s SMS is sent at once', async () => {
  const replies = await Promise.all(
    Array.from({ length: FLOOD.sms }, (_, index) =>
      bed.api('POST', '/v1/sms', { to: `${STALLED.sms}${1_000_000 + index}`, text: 'flood' }),
    ),
  );
  const taken = replies.filter(({ status }) => status === 201).length;
  expect(replies.every(({ status }) => status === 201 || status === 429)).toBe(true);
  // The flood may cross into the next minute.
  expect(taken).toBeLessThanOrEqual(2 * SMS_PER_MINUTE);
  await within('SMS at the gateway', () => texts.length > 0);
  const sent = await asOther('POST', '/v1/sms', { to: '+4930123456', text: 'one' });
  expect(sent.status, sent.text).toBe(201);
  const ms = await within('the other account’s SMS', () => texts.includes('+4930123456'));
  const stalled = texts.filter((to) => to.startsWith(STALLED.sms)).length;
  // The gateway has answered none of the flood: the other account's did not wait for it.
  expect(held).toHaveLength(stalled);
  expect(stalled).toBeLessThanOrEqual(16);
  figure(
    'T48',
    `of ${FLOOD.sms} SMS ${taken} taken, ${stalled} sent at once; another account's after ${Math.round(ms)} ms`,
  );
});

/** A tone from the answer on: what comes behind greeting and beep is the message. */
async function leaveMessage(number: string, ms: number): Promise<void> {
  const caller = await bed.reach(number);
  await caller.sendTone(hz.caller);
  await new Promise((resolve) => setTimeout(resolve, ms));
  await caller.hangUp();
}

async function messages(ask: () => Promise<Reply>): Promise<number> {
  return (await ask()).json.data.length;
}

it('T48: a flood of voicemail causes e-mail up to the limit, and another account’s e-mail is sent at once', async () => {
  const box = { name: 'Flood', greeting: 'recording||greeting', email: `victim@${STALLED.mail}` };
  const made = await bed.api('POST', '/v1/voicemail_box', box);
  await bed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${made.json.id}` });
  const others = await asOther('POST', '/v1/voicemail_box', { name: 'Other', email: 'office@example.com' });
  await asOther('POST', '/v1/number', { number: '201', destination: `voicemail||${others.json.id}` });

  for (let left = FLOOD.voicemails; left > 0; left -= CALLS_AT_ONCE)
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => leaveMessage('200', 3_000)));
  const own = () => messages(() => bed.api('GET', '/v1/voicemails?limit=100'));
  await bed.until('messages stored', async () => (await own()) > FLOOD.voicemails - CALLS_AT_ONCE);
  await bed.idle();
  await leaveMessage('201', 12_000);
  const ms = await within('the other account’s e-mail', () => mails.includes('office@example.com'));
  // By then all of the flood are counted. A counter that has not counted yet is not shown.
  const refused = (await bed.metric('dialtree_outbox_tries_total{lane="email",outcome="over-limit"}')) || 0;
  const stored = await own();
  figure(
    'T48',
    `${stored} voicemail messages cause ${stored - refused} e-mails; another account's is sent ${Math.round(ms)} ms after its call`,
  );
  // The flood may cross into the next minute.
  expect(stored - refused).toBeLessThanOrEqual(2 * MAIL_PER_MINUTE);
});
