// A SIP message as a plain value. parse.ts makes it from bytes, serialize.ts makes bytes of it; no other module handles raw text.

/** `sip:1001@host;transport=tcp` taken apart. Other schemes (tel, urn…) keep everything after the colon in `opaque`. */
export interface SipUri {
  readonly scheme: string;
  /** Unescaped; empty = none. */
  readonly user: string;
  /** Lower case; an IPv6 address keeps its brackets. */
  readonly host: string;
  /** 0 = not given. */
  readonly port: number;
  readonly params: Params;
  /** The part behind `?`: carried, never interpreted. */
  readonly headers: string;
  readonly opaque: string;
}

/** Parameters by lower-case name; one without a value has ''. A Map is one, too; the parser's are a ParamList (params.ts). */
export interface Params extends Iterable<readonly [name: string, value: string]> {
  readonly size: number;
  get(name: string): string | undefined;
  has(name: string): boolean;
  forEach(each: (value: string, name: string) => void): void;
}

/** `"Name" <uri>;params`: From, To, Contact, Route, Record-Route, Path, Refer-To. */
export interface NameAddr {
  readonly display: string;
  /** As on the wire. */
  readonly uri: string;
  readonly params: Params;
}

export interface Via {
  /** Upper case: UDP, TCP, TLS, WS, WSS, or an unknown token. */
  readonly transport: string;
  readonly host: string;
  /** 0 = not given. */
  readonly port: number;
  readonly branch: string;
  readonly params: Params;
}

export interface CSeq {
  readonly number: number;
  readonly method: string;
}

/**
 * In the order of the wire, repeated headers as often as they came. Names are lower case and never abbreviated. Each value
 * of Via is a header of its own. Content-Length is not among them: it is the body's, and serialize.ts writes it.
 */
export type Headers = readonly (readonly [name: string, value: string])[];

interface Common {
  readonly headers: Headers;
  readonly body: Buffer;
  /** What every layer needs, parsed once. `via` is the topmost. */
  readonly via: Via;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly callId: string;
  readonly cseq: CSeq;
}

export interface SipRequest extends Common {
  readonly kind: 'request';
  readonly method: string;
  /** The Request-URI as on the wire. */
  readonly uri: string;
}

export interface SipResponse extends Common {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
}

export type SipMessage = SipRequest | SipResponse;

export const NO_BODY: Buffer = Buffer.alloc(0);

export function headerOf(message: { readonly headers: Headers }, name: string): string | undefined {
  for (const [each, value] of message.headers) if (each === name) return value;
  return undefined;
}
