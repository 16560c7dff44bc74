// A new voicemail message: one e-mail to the box's address and one webhook delivery.
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/service.ts';
import { callerOf, PhoneBed, tones } from './support/phone-bed.ts';

const BEEP_HZ = 1_000;
const { hz, recordings } = tones(300, 'greeting', 'caller');

interface Smtp {
  listen(port: number, host: string, then: () => void): { address(): AddressInfo };
  on(event: 'error', heard: () => void): void;
  close(): void;
}
type Done = (error?: Error | null) => void;
const { SMTPServer } = createRequire(import.meta.url)('smtp-server') as {
  SMTPServer: new (options: {
    authOptional: boolean;
    disabledCommands: string[];
    onData: (stream: Readable, session: { envelope: { rcptTo: { address: string }[] } }, done: Done) => void;
  }) => Smtp;
};

const mails: { readonly to: string; readonly text: string }[] = [];
const received: Json[] = [];
let smtp: Smtp;
let receiver: Server;
let bed: PhoneBed;

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.on('data', (bytes) => {
        text += String(bytes);
      });
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text });
        done();
      });
    },
  });
  // The service is killed at the end, with its connection.
  smtp.on('error', () => undefined);
  const mailPort = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => resolve(listening.address().port));
  });
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const bytes of request) text += String(bytes);
    received.push(JSON.parse(text));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const hookPort = (receiver.address() as AddressInfo).port;
  bed = await PhoneBed.open({
    recordings,
    env: { SMTP_URL: `smtp://127.0.0.1:${mailPort}`, OUTBOUND_ALLOW: '127.0.0.1' },
  });
  const box = await bed.api('POST', '/v1/voicemail_box', {
    name: 'Sales',
    greeting: 'recording||greeting',
    email: 'sales@example.com',
  });
  expect(box.status, box.text).toBe(201);
  await bed.api('POST', '/v1/number', { number: '200', destination: `voicemail||${box.json.id}` });
  const hook = await bed.api('POST', '/v1/webhook', {
    name: 'Help desk',
    url: `http://127.0.0.1:${hookPort}/`,
    events: ['voicemail.received'],
  });
  expect(hook.status, hook.text).toBe(201);
});

afterAll(async () => {
  await bed.close();
  smtp.close();
  receiver.close();
});

it('a message causes an e-mail and a webhook delivery, and both name it', async () => {
  const caller = await bed.reach('200');
  await caller.hears(hz.greeting, { forMs: 60 });
  await caller.hears(BEEP_HZ, { forMs: 60 });
  await caller.sendTone(hz.caller);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await caller.hangUp();
  await bed.until('an e-mail and a webhook', async () => mails.length > 0 && received.length > 0);
  const { json } = await bed.api('GET', '/v1/voicemails');
  const [message] = json.data;
  expect(message).toMatchObject({ caller: callerOf(caller) });
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to).toBe('sales@example.com');
  expect(mails[0]?.text).toContain(callerOf(caller));
  expect(mails[0]?.text.replaceAll('=\r\n', '')).toContain(message.id);
  expect(mails[0]?.text).toMatch(/^Box: +Sales\r$/m);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ type: 'voicemail.received' });
  expect(JSON.stringify(received[0])).toContain(`/v1/voicemail/${message.id}/audio`);
});

it('a rule of notifications sends the same message to others, by e-mail and to its own webhook, and lists it', async () => {
  const hook = await bed.api('POST', '/v1/webhook', {
    name: 'Operations',
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    events: [],
  });
  const rule = {
    name: 'Team',
    types: ['voicemail_received'],
    emails: ['team@example.com'],
    webhook: hook.json.id,
  };
  const set = await bed.api('PATCH', '/v1/settings', { notification_rules: [rule] });
  expect(set.status, set.text).toBe(200);
  const caller = await bed.reach('200');
  await caller.hears(BEEP_HZ, { forMs: 60 });
  await caller.sendTone(hz.caller);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await caller.hangUp();
  const isOurs = ({ type }: Json): boolean => type === 'notification.opened';
  await bed.until(
    'an e-mail and a webhook of the rule',
    async () => mails.some(({ to }) => to === 'team@example.com') && received.some(isOurs),
  );
  expect(mails.find(({ to }) => to === 'team@example.com')?.text).toContain(
    'Subject: New voicemail in Sales',
  );
  expect(received.find(isOurs)).toMatchObject({
    data: { notification: { type: 'voicemail_received', name: 'Sales' }, rule: 'Team' },
  });
  const { json } = await bed.api('GET', '/v1/notifications');
  expect(json.data[0]).toMatchObject({ type: 'voicemail_received', name: 'Sales' });
});
