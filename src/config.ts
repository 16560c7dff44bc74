// Environment → one frozen Config. The only file that reads process.env.
import { resolve } from 'node:path';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** PostgreSQL instead of the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly accessToken: string | undefined;
  readonly demo: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly drainSeconds: number;
  /** Requests per second and token, held on average; 0 is no limit. */
  readonly rateLimit: number;
  readonly rateLimitLoopback: boolean;
  readonly maxConnections: number;
}

export interface Variable {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** The table in the README is held against this list by a test. */
export const VARIABLES: readonly Variable[] = [
  { name: 'PORT', fallback: '8080', meaning: 'port of the HTTP API; 0 lets the system choose' },
  { name: 'HOST', fallback: '127.0.0.1', meaning: 'address to listen on; 0.0.0.0 or :: opens it to others' },
  {
    name: 'DATA_DIR',
    fallback: './data',
    meaning: 'folder of the embedded database, recordings and the first token',
  },
  {
    name: 'DATABASE_URL',
    fallback: '',
    meaning: 'postgres://… uses PostgreSQL instead of the embedded database',
  },
  {
    name: 'ACCESS_TOKEN',
    fallback: '',
    meaning: 'a token of your own instead of a made one, 16 to 256 characters',
  },
  { name: 'DEMO', fallback: 'on', meaning: 'on | off: demonstration data at the first start' },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: LOG_LEVELS.join(' | ') },
  {
    name: 'DRAIN_SECONDS',
    fallback: '30',
    meaning: 'longest wait for running requests after SIGTERM, 0 to 3600',
  },
  {
    name: 'RATE_LIMIT',
    fallback: '1000',
    meaning: 'requests per second and token, 0 to 1000000; 0 is no limit',
  },
  {
    name: 'RATE_LIMIT_LOOPBACK',
    fallback: 'on',
    meaning: 'on | off: whether callers on this machine are limited too',
  },
  { name: 'MAX_CONNECTIONS', fallback: '10000', meaning: 'HTTP connections at once, 1 to 1000000' },
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration, or one line per variable that cannot be used. */
export function readConfig(environment: Environment = process.env): Config | { faults: string[] } {
  const faults: string[] = [];
  const given = (name: string): string => {
    const value = environment[name]?.trim();
    return value || (VARIABLES.find((variable) => variable.name === name)?.fallback ?? '');
  };
  const refuse = (name: string, allowed: string, shown = `"${given(name)}"`): void => {
    faults.push(`${name} is ${shown}, but must be ${allowed}.`);
  };
  const whole = (name: string, min: number, max: number): number => {
    const text = given(name);
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    refuse(name, `a whole number from ${min} to ${max}`);
    return min;
  };
  const onOff = (name: string): boolean => {
    const text = given(name);
    if (text !== 'on' && text !== 'off') refuse(name, 'on or off');
    return text === 'on';
  };

  const logLevel = LOG_LEVELS.find((level) => level === given('LOG_LEVEL'));
  if (!logLevel) refuse('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`);
  const databaseUrl = given('DATABASE_URL') || undefined;
  if (databaseUrl && !isPostgresUrl(databaseUrl)) {
    refuse(
      'DATABASE_URL',
      'of the form postgres://user:password@host:5432/database',
      `"${withoutPassword(databaseUrl)}"`,
    );
  }
  const accessToken = given('ACCESS_TOKEN') || undefined;
  if (accessToken && !/^[\x21-\x7e]{16,256}$/.test(accessToken)) {
    refuse(
      'ACCESS_TOKEN',
      '16 to 256 visible ASCII characters without spaces',
      `${accessToken.length} characters long or holds others`,
    );
  }
  const host = given('HOST');
  if (!/^[A-Za-z0-9.:_%-]{1,255}$/.test(host)) refuse('HOST', 'an address or a host name');

  const config: Config = Object.freeze({
    port: whole('PORT', 0, 65_535),
    host,
    dataDir: resolve(given('DATA_DIR')),
    databaseUrl,
    accessToken,
    demo: onOff('DEMO'),
    logLevel: logLevel ?? 'info',
    drainSeconds: whole('DRAIN_SECONDS', 0, 3600),
    rateLimit: whole('RATE_LIMIT', 0, 1_000_000),
    rateLimitLoopback: onOff('RATE_LIMIT_LOOPBACK'),
    maxConnections: whole('MAX_CONNECTIONS', 1, 1_000_000),
  });
  return faults.length > 0 ? { faults } : config;
}

/** Whether to print in colour: on a terminal that shows it, unless NO_COLOR (no-color.org) asks for none. */
export function wantsColour(isTerminal: boolean, environment: Environment = process.env): boolean {
  return isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
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
