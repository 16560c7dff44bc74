import type { Operations } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { isLoopback } from './sip-address.ts';

export type Telephony = Operations['getTelephony']['answer'];

export interface SipServer {
  readonly host: string;
  readonly port: number;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** Loopback: only this machine can call. Everywhere: the host is taken from the page's URL. */
  readonly note: 'loopback' | 'everywhere' | null;
}

const WILDCARDS = ['0.0.0.0', '::', '[::]'];
const ORDER = ['udp', 'tcp', 'tls'] as const;

/** Null if SIP is off. `pageHost` is the host of the page's URL. */
export function sipServerOf(telephony: Telephony, pageHost: string): SipServer | null {
  const { sip, host, port, tls_port: tlsPort, transports, advertised_address: advertised } = telephony;
  if (!sip) return null;
  const transport = ORDER.find((one) => transports.some((each) => each === one)) ?? 'udp';
  const at = (transport === 'tls' ? tlsPort : port) ?? 5060;
  const listens = host ?? '0.0.0.0';
  const bare = (text: string): string => text.replace(/^\[|\]$/g, '');
  if (advertised !== null) return { host: bare(advertised), port: at, transport, note: null };
  if (WILDCARDS.includes(listens)) return { host: bare(pageHost), port: at, transport, note: 'everywhere' };
  return { host: bare(listens), port: at, transport, note: isLoopback(bare(listens)) ? 'loopback' : null };
}

export function useSipServer(): {
  server: SipServer | null;
  off: boolean;
  error: unknown;
  again: () => void;
} {
  const { value, error, again } = useAsk((signal) => client.getTelephony({ signal }), []);
  const server = value === null ? null : sipServerOf(value, location.hostname);
  return { server, off: value !== null && server === null, error, again };
}
