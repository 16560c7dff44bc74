// Environment → one frozen Config. The only file that reads process.env.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type Network, parseNetwork } from './safe-fetch/network.ts';
import { readSmsUrl, SMS_URL_FORM } from './sms/sms-url.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const MEDIA_SOCKETS = ['auto', 'syscalls', 'dgram'] as const;
export const SIP_DIGESTS = ['md5', 'both', 'sha256'] as const;
export const MEDIA_PRIORITIES = ['normal', 'realtime'] as const;
const SECRET_KEY_BYTES = 32;
/** Two calls: a port each for RTP and RTCP. */
const MIN_RTP_PORTS = 4;

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** By name: what stands for a missing value, and the meaning. A test compares docs/configuration.md with this table. */
export const VARIABLES = {
  PORT: ['8080', 'port of the HTTP API; 0 lets the system choose'],
  HOST: ['127.0.0.1', 'address to listen on; 0.0.0.0 or :: opens it to others'],
  DATA_DIR: ['./data', 'folder of the embedded database, recordings and the first token'],
  DATABASE_URL: ['', 'postgres://… uses PostgreSQL instead of the embedded database'],
  RESERVE_MB: [
    'auto',
    'free space in MB below which calls and voicemail are no longer recorded, 0 to 1000000; auto is 256, or 5 % of a smaller disk',
  ],
  ACCESS_TOKEN: ['', 'a token of your own instead of a made one, 16 to 256 characters'],
  DEMO: ['on', 'on | off: demonstration data at the first start'],
  LOG_LEVEL: ['info', LOG_LEVELS.join(' | ')],
  DRAIN_SECONDS: ['30', 'longest wait for running requests and calls after SIGTERM, 0 to 3600'],
  RATE_LIMIT: ['1000', 'requests per second and token, 0 to 1000000; 0 is no limit'],
  RATE_LIMIT_LOOPBACK: ['on', 'on | off: whether callers on this machine are limited too'],
  TRUSTED_PROXIES: [
    '',
    'networks of reverse proxies whose X-Forwarded-For says who asks, such as 127.0.0.1; empty believes none',
  ],
  MAX_CONNECTIONS: ['10000', 'HTTP connections at once, 1 to 1000000'],
  SIP: ['on', 'on | off: off runs the API alone, without telephones'],
  SIP_HOST: ['127.0.0.1', 'address for SIP and sound; 0.0.0.0 or :: opens it to others'],
  SIP_PORT: ['5060', 'port of SIP over UDP and TCP; 0 lets the system choose'],
  SIP_TLS_PORT: ['', 'port of SIP over TLS, such as 5061; empty is off'],
  SIP_TLS_CERT: ['', 'file with the certificate chain for TLS, in PEM'],
  SIP_TLS_KEY: ['', 'file with the private key for TLS, in PEM'],
  SIP_DIGEST: [
    'md5',
    'md5 | both | sha256: what phones are challenged with, the same for all; both offers SHA-256 first, which some phones fail at',
  ],
  RTP_PORTS: ['20000-29999', 'UDP ports for sound, from-to, two for each side of a call; at least 4'],
  ADVERTISED_ADDRESS: ['', 'IP address in Via, Contact and SDP, behind NAT or in a container'],
  MEDIA_WORKERS: ['0', 'threads for sound, 0 to 64; 0 chooses by the machine'],
  MEDIA_SOCKETS: ['auto', 'auto | syscalls | dgram: how sound is sent; auto takes the fastest that works'],
  MEDIA_PRIORITY: [
    'normal',
    'normal | realtime: realtime sends sound before all else, on a full machine (Linux, CAP_SYS_NICE)',
  ],
  MAX_CALLS: ['5000', 'calls at once, 1 to 100000; further ones get 503'],
  MAX_CALLS_PER_SECOND: ['2000', 'new calls per second, 0 to 100000; 0 is no limit'],
  RTP_TIMEOUT_SECONDS: ['30', 'a call that sends no sound for so long is ended, 5 to 3600'],
  SECRET_KEY: [
    '',
    '32 bytes in hex or base64 that seal trunk passwords, the same on every node; empty makes one in DATA_DIR',
  ],
  OUTBOUND_ALLOW: [
    '',
    'networks that webhooks and URLs of recordings may reach although they are private, such as 10.1.0.0/16,::1',
  ],
  TTS_COMMAND: ['espeak-ng', 'program that speaks text, with the options of espeak-ng; off is none'],
  SMTP_URL: [
    '',
    'smtp://user:password@host:587 or smtps://…: the server that sends e-mail; empty sends none',
  ],
  MAIL_FROM: ['dialtree@localhost', 'the address that e-mail comes from'],
  MAIL_PER_MINUTE: ['60', 'e-mails per minute and account, 0 to 100000; 0 sends none'],
  MAIL_PER_DAY: ['1000', 'e-mails per day (UTC) and account, 0 to 10000000; 0 sends none'],
  SMS_URL: [
    '',
    'where SMS go: smpp://user:password@host:2775, smpps://… or https://:secret@host/path; empty is nowhere',
  ],
  SMS_SENDER: ['', 'who SMS are from: a number, or up to 11 letters and digits'],
  SMS_PER_MINUTE: ['60', 'SMS per minute and account, 0 to 100000; 0 sends none'],
  DIALTREE_URL: [
    '',
    'address of a running service that commands ask, such as https://phones.example.com; empty is this machine',
  ],
  DIALTREE_TOKEN: [
    '',
    'access token that commands use; empty is, on this machine alone, ACCESS_TOKEN or the first token',
  ],
} satisfies Record<string, readonly [fallback: string, meaning: string]>;

type VariableName = keyof typeof VARIABLES;
export type Environment = Readonly<Record<string, string | undefined>>;

class Reader {
  readonly faults: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  given(name: VariableName): string {
    return this.#environment[name]?.trim() || VARIABLES[name][0];
  }

  refuse(name: VariableName, allowed: string, shown = `"${this.given(name)}"`): void {
    this.faults.push(`${name} is ${shown}, but must be ${allowed}.`);
  }

  whole(name: VariableName, min: number, max: number): number {
    const text = this.given(name);
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.refuse(name, `a whole number from ${min} to ${max}`);
    return min;
  }

  onOff(name: VariableName): boolean {
    const text = this.given(name);
    if (text !== 'on' && text !== 'off') this.refuse(name, 'on or off');
    return text === 'on';
  }

  oneOf<const T extends string>(name: VariableName, values: readonly [T, ...T[]]): T {
    const found = values.find((value) => value === this.given(name));
    if (!found) this.refuse(name, `one of ${values.join(', ')}`);
    return found ?? values[0];
  }

  host(name: VariableName): string {
    const host = this.given(name);
    if (!/^[A-Za-z0-9.:_%-]{1,255}$/.test(host)) this.refuse(name, 'an address or a host name');
    return host;
  }
}

export type Config = Readonly<ReturnType<typeof configOf>>;

/** The configuration, or one line per variable that cannot be used. */
export function readConfig(environment: Environment = process.env): Config | { faults: string[] } {
  const read = new Reader(environment);
  const config = Object.freeze(configOf(read));
  return read.faults.length > 0 ? { faults: read.faults } : config;
}

function configOf(read: Reader) {
  const databaseUrl = read.given('DATABASE_URL') || undefined;
  if (databaseUrl && !isPostgresUrl(databaseUrl)) {
    read.refuse(
      'DATABASE_URL',
      'of the form postgres://user:password@host:5432/database',
      `"${withoutPassword(databaseUrl)}"`,
    );
  }
  const accessToken = read.given('ACCESS_TOKEN') || undefined;
  if (accessToken && !/^[\x21-\x7e]{16,256}$/.test(accessToken)) {
    read.refuse(
      'ACCESS_TOKEN',
      '16 to 256 visible ASCII characters without spaces',
      `${accessToken.length} characters long or holds others`,
    );
  }
  return {
    port: read.whole('PORT', 0, 65_535),
    host: read.host('HOST'),
    dataDir: resolve(read.given('DATA_DIR')),
    databaseUrl,
    reserveMb: read.given('RESERVE_MB') === 'auto' ? null : read.whole('RESERVE_MB', 0, 1_000_000),
    accessToken,
    demo: read.onOff('DEMO'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    drainSeconds: read.whole('DRAIN_SECONDS', 0, 3600),
    rateLimit: read.whole('RATE_LIMIT', 0, 1_000_000),
    rateLimitLoopback: read.onOff('RATE_LIMIT_LOOPBACK'),
    maxConnections: read.whole('MAX_CONNECTIONS', 1, 1_000_000),
    ...telephony(read),
    trustedProxies: proxies(read),
    outboundAllow: networks(read, 'OUTBOUND_ALLOW'),
    ttsCommand: read.given('TTS_COMMAND') === 'off' ? undefined : read.given('TTS_COMMAND'),
    smtpUrl: smtpUrl(read),
    mailFrom: mailFrom(read),
    mailPerMinute: read.whole('MAIL_PER_MINUTE', 0, 100_000),
    mailPerDay: read.whole('MAIL_PER_DAY', 0, 10_000_000),
    ...texting(read),
    remoteUrl: remoteUrl(read),
    remoteToken: read.given('DIALTREE_TOKEN') || undefined,
  };
}

function telephony(read: Reader) {
  const tlsOff = read.given('SIP_TLS_PORT') === '';
  const file = (name: 'SIP_TLS_CERT' | 'SIP_TLS_KEY'): string | undefined => {
    const path = read.given(name);
    if (path === '' && !tlsOff)
      read.refuse(name, 'the path of a PEM file, since SIP_TLS_PORT is set', 'empty');
    return path === '' ? undefined : resolve(path);
  };
  const advertisedAddress = read.given('ADVERTISED_ADDRESS') || undefined;
  if (advertisedAddress && isIP(advertisedAddress) === 0)
    read.refuse('ADVERTISED_ADDRESS', 'an IPv4 or IPv6 address');
  return {
    sip: read.onOff('SIP'),
    sipHost: read.host('SIP_HOST'),
    sipPort: read.whole('SIP_PORT', 0, 65_535),
    sipTlsPort: tlsOff ? undefined : read.whole('SIP_TLS_PORT', 0, 65_535),
    sipTlsCert: file('SIP_TLS_CERT'),
    sipTlsKey: file('SIP_TLS_KEY'),
    rtpPorts: portRange(read, 'RTP_PORTS'),
    advertisedAddress,
    mediaWorkers: read.whole('MEDIA_WORKERS', 0, 64),
    mediaSockets: read.oneOf('MEDIA_SOCKETS', MEDIA_SOCKETS),
    mediaPriority: read.oneOf('MEDIA_PRIORITY', MEDIA_PRIORITIES),
    sipDigest: read.oneOf('SIP_DIGEST', SIP_DIGESTS),
    maxCalls: read.whole('MAX_CALLS', 1, 100_000),
    maxCallsPerSecond: read.whole('MAX_CALLS_PER_SECOND', 0, 100_000),
    rtpTimeoutSeconds: read.whole('RTP_TIMEOUT_SECONDS', 5, 3600),
    secretKey: secretKey(read),
  };
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

function remoteUrl(read: Reader): string | undefined {
  const given = read.given('DIALTREE_URL');
  if (given === '' || isHttpUrl(given)) return given || undefined;
  read.refuse('DIALTREE_URL', 'an address such as https://phones.example.com');
  return undefined;
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function portRange(read: Reader, name: VariableName): PortRange {
  const [, from, to] = /^(\d{1,5})\s*-\s*(\d{1,5})$/.exec(read.given(name)) ?? [];
  const range = { from: Number(from ?? Number.NaN), to: Number(to ?? Number.NaN) };
  if (range.from >= 1 && range.to <= 65_535 && range.to - range.from + 1 >= MIN_RTP_PORTS) return range;
  read.refuse(name, `two ports from-to, within 1 to 65535 and with at least ${MIN_RTP_PORTS} ports`);
  return { from: 0, to: 0 };
}

/** As they were given: Fastify reads them itself. */
function proxies(read: Reader): string[] {
  networks(read, 'TRUSTED_PROXIES');
  return read
    .given('TRUSTED_PROXIES')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function networks(read: Reader, name: VariableName): readonly Network[] {
  const given = read.given(name);
  const found = given === '' ? [] : given.split(',').map((text) => parseNetwork(text.trim()));
  const networks = found.filter((network) => network !== null);
  if (networks.length < found.length)
    read.refuse(name, 'addresses or CIDR networks with commas between them, such as 10.1.0.0/16,::1');
  return networks;
}

function smtpUrl(read: Reader): string | undefined {
  const given = read.given('SMTP_URL');
  if (given === '') return undefined;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && (url.protocol === 'smtp:' || url.protocol === 'smtps:') && url.hostname !== '') return given;
  read.refuse('SMTP_URL', 'of the form smtp://user:password@host:587', `"${withoutPassword(given)}"`);
  return undefined;
}

function mailFrom(read: Reader): string {
  const given = read.given('MAIL_FROM');
  if (!/^[^\s@<>",;:()]{1,64}@[A-Za-z0-9.-]{1,255}$/.test(given))
    read.refuse('MAIL_FROM', 'an e-mail address such as dialtree@example.com');
  return given;
}

/** Never shown, not even a wrong one: it may be the right one with a character too many. */
function secretKey(read: Reader): Uint8Array | undefined {
  const text = read.given('SECRET_KEY');
  if (text === '') return undefined;
  const hex = /^[0-9a-fA-F]{64}$/.test(text);
  const key = Buffer.from(text, hex ? 'hex' : 'base64');
  if (key.length === SECRET_KEY_BYTES && (hex || /^[A-Za-z0-9+/_-]{43}=?$/.test(text)))
    return new Uint8Array(key);
  read.refuse('SECRET_KEY', '32 bytes: 64 hexadecimal digits, or base64', `${text.length} characters long`);
  return undefined;
}

/** Whether to print in colour: on a terminal that shows it, unless NO_COLOR (no-color.org) asks for none. */
export function wantsColour(isTerminal: boolean, environment: Environment = process.env): boolean {
  return isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

/** Whether an unexpected error of a command is printed with its stack. */
export function wantsStack(environment: Environment = process.env): boolean {
  return ['1', 'true', 'on'].includes(environment['DEBUG'] ?? '');
}

/** What a program that we start may know of our environment, which is full of secrets: where to find things, and how to speak. */
export function programEnvironment(environment: Environment = process.env): Environment {
  const isHarmless = ([name]: [string, unknown]): boolean =>
    /^(PATH|HOME|LANG|LANGUAGE|LC_.*|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH|ESPEAK_DATA_PATH)$/i.test(name) ||
    // Nothing starts without these on Windows, which spells names as it likes.
    /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE)$/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(isHarmless));
}

function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'postgres:' || protocol === 'postgresql:';
}

/** A database address fit for a log: where it is and who asks, never the password, however the address is written. */
export function withoutPassword(url: string): string {
  const [beforeQuery = ''] = url.split('?');
  const at = beforeQuery.lastIndexOf('@');
  if (at < 0) return beforeQuery;
  const scheme = beforeQuery.indexOf('://');
  const from = scheme < 0 ? 0 : scheme + 3;
  const [user = ''] = beforeQuery.slice(from, at).split(':');
  return `${beforeQuery.slice(0, from)}${user}:***${beforeQuery.slice(at)}`;
}

/** What the configuration makes the service able to do. */
export function capabilitiesOf({ sms, smtpUrl, ttsCommand }: Config): {
  readonly sms: boolean;
  readonly email: boolean;
  readonly speech: boolean;
} {
  return { sms: Boolean(sms), email: smtpUrl !== undefined, speech: ttsCommand !== undefined };
}
