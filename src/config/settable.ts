// The variables that the operator may set by request, where the environment does not: read by the same code from either source.
import { isIP } from 'node:net';
import {
  SETTABLE_VARIABLES,
  type SettableVariable,
  type VariableValues,
} from '../domain/service-variable.ts';
import { readSmtpUrl, SMTP_URL_FORM } from '../notifications/smtp-url.ts';
import { readSmsUrl, SMS_URL_FORM } from '../sms/sms-url.ts';
import { withoutPassword } from './forms.ts';
import { type Environment, Reader } from './reader.ts';
import { VARIABLES } from './variables.ts';

export function readSettable(read: Reader) {
  return {
    smtpUrl: smtpUrl(read),
    mailFrom: mailFrom(read),
    mailPerMinute: read.whole('MAIL_PER_MINUTE', 0, 100_000),
    mailPerDay: read.whole('MAIL_PER_DAY', 0, 10_000_000),
    ...texting(read),
    publicUrl: publicUrl(read),
    advertisedAddress: advertisedAddress(read),
  };
}

/** Those that the environment sets. */
export function givenVariables(environment: Environment): VariableValues {
  const given = SETTABLE_VARIABLES.map((name) => [name, environment[name]?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** What the value must be; null: it can be used. Says nothing of the value, which may hold a password. */
export function faultIn(name: SettableVariable, value: string): string | null {
  const read = new Reader({ [name]: value });
  readSettable(read);
  return read.refusals[0]?.allowed ?? null;
}

/** What holds, as text. */
export function effectiveValue(
  name: SettableVariable,
  environment: VariableValues,
  stored: VariableValues,
): string {
  return environment[name] ?? stored[name] ?? VARIABLES[name][0];
}

function smtpUrl(read: Reader): string | undefined {
  const given = read.given('SMTP_URL');
  if (given === '') return undefined;
  if (readSmtpUrl(given)) return given;
  read.refuse('SMTP_URL', SMTP_URL_FORM, `"${withoutPassword(given)}"`);
  return undefined;
}

function mailFrom(read: Reader): string {
  const given = read.given('MAIL_FROM');
  if (!/^[^\s@<>",;:()]{1,64}@[A-Za-z0-9.-]{1,255}$/.test(given))
    read.refuse('MAIL_FROM', 'an e-mail address such as dialtree@example.com');
  return given;
}

function texting(read: Reader) {
  const url = read.given('SMS_URL');
  const sms = url === '' ? undefined : (readSmsUrl(url) ?? undefined);
  // Never shown, not even a wrong one: it holds a password.
  if (url !== '' && !sms) read.refuse('SMS_URL', SMS_URL_FORM, `${url.length} characters long`);
  const smsSender = read.given('SMS_SENDER');
  if (!/^(\+?[0-9]{0,15}|[A-Za-z0-9 ]{1,11})$/.test(smsSender))
    read.refuse('SMS_SENDER', 'a number, or up to 11 letters and digits');
  return { sms, smsSender, smsPerMinute: read.whole('SMS_PER_MINUTE', 0, 100_000) };
}

function publicUrl(read: Reader): string | undefined {
  const given = read.given('PUBLIC_URL');
  if (given === '') return undefined;
  const url = URL.canParse(given) ? new URL(given) : null;
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === '';
  if (isPlain && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href.replace(/\/$/, '');
  read.refuse('PUBLIC_URL', 'of the form https://phones.example.com');
  return undefined;
}

function advertisedAddress(read: Reader): string | undefined {
  const given = read.given('ADVERTISED_ADDRESS') || undefined;
  if (given && isIP(given) === 0) read.refuse('ADVERTISED_ADDRESS', 'an IPv4 or IPv6 address');
  return given;
}
