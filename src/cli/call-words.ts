// The arguments of `dialtree call`.
import { isIPv6 } from 'node:net';
import type { Config } from '../config/config.ts';
import { defaultPort } from '../sip/transports/transport.ts';
import { parseWords, UsageError } from './command.ts';

export interface CallWords {
  readonly number: string;
  readonly keys: string;
  readonly afterMs: number;
  readonly server: { readonly host: string; readonly port: number };
  /** The number that is presented; with a password the intercom number of an agent. */
  readonly from: string | undefined;
  readonly password: string | undefined;
  readonly protocol: 'udp' | 'tcp';
  /** 0: until the other end hangs up. */
  readonly seconds: number;
  readonly save: string | undefined;
  /** A text or a sound file. */
  readonly say: string | undefined;
}

export const CALL_OPTIONS = {
  keys: { type: 'string' },
  after: { type: 'string' },
  server: { type: 'string' },
  from: { type: 'string' },
  password: { type: 'string' },
  transport: { type: 'string' },
  seconds: { type: 'string' },
  save: { type: 'string' },
  say: { type: 'string' },
} as const;

export function readCallWords(words: readonly string[], config: Config): CallWords {
  const { values, positionals } = parseWords(words, CALL_OPTIONS);
  const [number, ...more] = positionals;
  if (number === undefined || more.length > 0) throw new UsageError('Say one number to call.');
  if (!/^[\w+*#.-]{1,64}$/.test(number))
    throw new UsageError(`"${number}" is no number that can be dialled.`);
  const { keys = '', from, password, transport = 'udp' } = values;
  if (!/^[\d*#A-Da-d,]{0,200}$/.test(keys))
    throw new UsageError(`--keys has 0 to 9, *, #, A to D and commas for pauses, not "${keys}".`);
  if (transport !== 'udp' && transport !== 'tcp') throw new UsageError('--transport is udp or tcp.');
  if (password !== undefined && from === undefined)
    throw new UsageError('--password is that of an agent: say which with --from <intercom>.');
  if (values.say?.trim() === '') throw new UsageError('--say is a text or a sound file.');
  if (from !== undefined && !/^[\w+.-]{1,64}$/.test(from))
    throw new UsageError(`--from cannot be "${from}".`);
  return {
    number,
    keys: keys.toUpperCase(),
    afterMs: whole('--after', values.after, 1_000, 600_000),
    server: serverOf(values.server, config),
    from,
    password,
    protocol: transport,
    seconds: whole('--seconds', values.seconds, 60, 86_400),
    save: values.save,
    say: values.say,
  };
}

/** Keys that are pressed together; a second lies between one group and the next. */
export function keyGroups(keys: string): string[] {
  return keys === '' ? [] : keys.split(',');
}

function whole(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new UsageError(`${name} is a whole number from 0 to ${most}, not "${text}".`);
}

/** `host`, `host:port`, `[::1]:5060`; by default the host of DIALTREE_URL, or this machine as it is configured. */
function serverOf(text: string | undefined, { sipHost, sipPort, remoteUrl }: Config): CallWords['server'] {
  if (text === undefined) {
    if (remoteUrl !== undefined)
      return {
        host: new URL(remoteUrl).hostname.replace(/^\[|\]$/g, ''),
        port: sipPort || defaultPort('udp'),
      };
    if (sipPort === 0) throw new UsageError('SIP_PORT is 0, so say where to call with --server <host:port>.');
    const host = sipHost === '0.0.0.0' ? '127.0.0.1' : sipHost === '::' ? '::1' : sipHost;
    return { host, port: sipPort };
  }
  if (isIPv6(text)) return { host: text, port: defaultPort('udp') };
  const [, bracketed, plain, port = defaultPort('udp')] =
    /^(?:\[([\d:a-fA-F.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError(`--server is host:port, such as 127.0.0.1:5060, not "${text}".`);
  return { host, port: Number(port) };
}
