// How a phone is set up, and what its calls use of it.
import type { SdpOptions } from './sdp-text.ts';
import type { SipText } from './sip-text.ts';
import type { Transactions } from './transactions.ts';

export interface PhoneOptions {
  readonly user?: string;
  readonly password?: string;
  readonly displayName?: string;
  readonly server: { readonly host: string; readonly port: number };
  readonly transport?: 'udp' | 'tcp' | 'tls' | 'ws';
  /** What its Contact claims: `ws` as a browser. */
  readonly contactTransport?: string;
  /** The address of a WebSocket, and the origin of the page. */
  readonly webSocket?: { readonly url: string; readonly origin?: string };
  /** With TLS: it takes connections, as a PBX does. PEM text. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** The phone's own address; by default that of loopback in the server's family. */
  readonly host?: string;
  /** How it describes its media, unless a call says otherwise. */
  readonly sdp?: SdpOptions;
  /** It asks callers for this user and password. */
  readonly challenges?: { readonly user: string; readonly password: string };
}

/** All of them can be changed at any time. */
export interface Faults {
  /** No ACK for a 2xx. */
  dropAck: boolean;
  /** Hanging up is silent. */
  dropBye: boolean;
  /** Methods of requests that are never answered, as if they had not come. */
  ignore: readonly string[];
}

/** The phone as its calls and dialogs see it. */
export interface CallingPhone {
  readonly host: string;
  readonly options: PhoneOptions;
  readonly transactions: Transactions;
  readonly faults: Faults;
  readonly contact: string;
  /** The log as a ladder of first lines, for error messages. */
  ladder(): string;
  credentials(response: SipText, method: string, uri: string): readonly [string, string] | null;
}
