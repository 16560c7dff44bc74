import { expect, it } from 'vitest';
import { type Config, completeConfig, readConfig } from './config.ts';
import { faultIn, givenVariables } from './settable.ts';

const config = (environment: Record<string, string>) => readConfig(environment) as Config;

it('stored values complete the environment, which always wins', () => {
  const given = config({ MAIL_FROM: 'env@example.com', SMS_PER_MINUTE: ' ' });
  const stored = {
    SMTP_URL: 'smtp://dora:hunter2@mail.example.com:587',
    MAIL_FROM: 'stored@example.com',
    SMS_PER_MINUTE: '7',
    PUBLIC_URL: 'https://phones.example.com/',
    ADVERTISED_ADDRESS: '192.0.2.7',
  };
  const { config: completed, unusable } = completeConfig(given, stored);
  expect(unusable).toEqual([]);
  expect(completed).toMatchObject({
    smtpUrl: stored.SMTP_URL,
    mailFrom: 'env@example.com',
    smsPerMinute: 7,
    publicUrl: 'https://phones.example.com',
    advertisedAddress: '192.0.2.7',
  });
  expect(completed.stored).not.toHaveProperty('MAIL_FROM');
  const shown = Object.values(completed.shown).flat();
  expect(shown.find(({ name }) => name === 'SMTP_URL')).toMatchObject({
    value: 'smtp://mail.example.com:587',
    source: 'stored',
    secret: true,
    locked: null,
  });
  expect(shown.find(({ name }) => name === 'MAIL_FROM')).toMatchObject({
    value: 'env@example.com',
    source: 'environment',
    locked: 'environment',
  });
  expect(JSON.stringify(shown)).not.toContain('hunter2');
});

it('a stored value that cannot be used is named and left out', () => {
  const { config: completed, unusable } = completeConfig(config({}), {
    SMTP_URL: 'http://x',
    SMS_SENDER: 'Us',
  });
  expect(unusable).toEqual(['SMTP_URL']);
  expect(completed).toMatchObject({ smtpUrl: undefined, smsSender: 'Us', stored: { SMS_SENDER: 'Us' } });
});

it('a fault says what is allowed, and never the value', () => {
  expect(faultIn('SMTP_URL', 'smtp://dora:hunter2@mail.example.com')).toBeNull();
  for (const [name, value] of [
    ['SMTP_URL', 'dora:hunter2@mail'],
    ['SMS_URL', 'gopher://hunter2'],
    ['MAIL_FROM', 'hunter2'],
    ['MAIL_PER_DAY', 'hunter2'],
    ['SMS_SENDER', 'hunter2 and more than that'],
    ['PUBLIC_URL', 'javascript:hunter2'],
    ['ADVERTISED_ADDRESS', 'hunter2'],
  ] as const) {
    expect(faultIn(name, value), name).toEqual(expect.any(String));
    expect(faultIn(name, value), name).not.toContain('hunter2');
  }
});

// Threat T64: nodemailer takes options, among them programs to run, from the query of a URL.
it.each([
  'smtp://x/?sendmail=true&path=/bin/sh&args=-c&args=id',
  'smtp://mail.example.com?tls.rejectUnauthorized=false',
  'smtp://mail.example.com#x',
  'smtp://mail.example.com/path',
  'smtps://mail.example.com:465/?proxy=http://x',
  'smtp:mail.example.com',
  'smtp://dora:%zz@mail.example.com',
])('a mail server is host, port, user and password, and nothing else: %s is refused', (url) => {
  expect(faultIn('SMTP_URL', url)).toEqual(expect.any(String));
  expect(readConfig({ SMTP_URL: url })).toMatchObject({ faults: [expect.stringContaining('SMTP_URL')] });
  expect(completeConfig(config({}), { SMTP_URL: url }).unusable).toEqual(['SMTP_URL']);
});

it.each(['https://:hunter2@phones.example.com', 'https://phones.example.com?x', 'https://a/#x'])(
  'an address of the service is no more than that: %s is refused',
  (url) => expect(faultIn('PUBLIC_URL', url)).toEqual(expect.any(String)),
);

it('what the environment leaves empty is not given', () => {
  expect(givenVariables({ SMTP_URL: '', SMS_URL: ' ', MAIL_FROM: ' a@b.c ', TTS_COMMAND: 'x' })).toEqual({
    MAIL_FROM: 'a@b.c',
  });
});
