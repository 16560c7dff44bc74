// ICE and DTLS in SDP (RFC 8839, RFC 8842): what is read of the browser's, and the lines of ours. Values of the peer reach native code
// and our own lines: each has the characters and the length that its RFC allows, or it is not there.
import { randomBytes } from 'node:crypto';
import type { IceAgreement, OwnIce, PeerIce, RtpFormat, WebrtcIdentity } from '../webrtc/webrtc.ts';

/** As the attributes say it, of an m-line or of the session. */
export interface IceAttributes {
  ufrag?: string | undefined;
  pwd?: string | undefined;
  fingerprint?: string | undefined;
  setup?: PeerIce['setup'] | undefined;
}

/** RFC 8839 §5.4: 4 to 256 and 22 to 256 ice-chars. */
const UFRAG = /^[A-Za-z0-9+/]{4,256}$/;
const PWD = /^[A-Za-z0-9+/]{22,256}$/;
/** RFC 8122 §5: bytes in hexadecimal, by the hash. Weaker hashes are not accepted. */
const HASH_BYTES: ReadonlyMap<string, number> = new Map([
  ['sha-256', 32],
  ['sha-384', 48],
  ['sha-512', 64],
]);
const HEX_BYTES = /^[0-9A-F]{2}(?::[0-9A-F]{2}){0,63}$/;
const MID = /^[A-Za-z0-9!#$%&'*+.^_`{|}~-]{1,32}$/;

/** An attribute that is invalid is as one that is missing; of several the first counts. */
export function readIceAttribute(into: IceAttributes, name: string, content: string): void {
  const text = content.trim();
  if (name === 'ice-ufrag' && UFRAG.test(text)) into.ufrag ??= copied(text);
  else if (name === 'ice-pwd' && PWD.test(text)) into.pwd ??= copied(text);
  else if (name === 'fingerprint') into.fingerprint ??= readFingerprint(text);
  else if (name === 'setup' && (text === 'active' || text === 'passive' || text === 'actpass'))
    into.setup ??= text;
}

export const isMid = (text: string): boolean => MID.test(text);

/** Null if the line has no ICE, or no DTLS. */
export function iceOf(line: IceAttributes, session: IceAttributes): PeerIce | null {
  const ufrag = line.ufrag ?? session.ufrag;
  const pwd = line.pwd ?? session.pwd;
  const fingerprint = line.fingerprint ?? session.fingerprint;
  const setup = line.setup ?? session.setup;
  if (ufrag === undefined || pwd === undefined || fingerprint === undefined || setup === undefined)
    return null;
  return { ufrag, pwd, fingerprint, setup };
}

/** Others of the peer's credentials or certificate: it restarts ICE, or is another page. */
export const isRestart = (before: PeerIce, now: PeerIce): boolean =>
  before.ufrag !== now.ufrag || before.pwd !== now.pwd || before.fingerprint !== now.fingerprint;

/** 96 and 144 random bits. The next certificate, so that DTLS begins anew too. */
export function newOwnIce(identity: WebrtcIdentity, before: OwnIce | null): OwnIce {
  const certificate = before === null ? 0 : (before.certificate + 1) % identity.fingerprints.length;
  return {
    ufrag: randomBytes(12).toString('base64'),
    pwd: randomBytes(18).toString('base64'),
    certificate,
  };
}

export interface IceSide {
  readonly identity: WebrtcIdentity;
  readonly own: OwnIce;
}

/** The lines of the session. RFC 8445 §2.7: as a lite agent we gather nothing, and the browser decides which pair is used. */
export const iceSessionLines = (mid: string): string => `a=ice-lite\r\na=group:BUNDLE ${mid}\r\n`;

/** The lines of the m-line. The browser connects to us, so that we wait for its ClientHello, unless it insists. */
export function iceLines(
  { identity, own }: IceSide,
  address: string,
  mid: string,
  setup: PeerIce['setup'],
): string {
  let text = `a=mid:${mid}\r\na=rtcp-mux\r\na=ice-ufrag:${own.ufrag}\r\na=ice-pwd:${own.pwd}\r\n`;
  text += `a=fingerprint:${identity.fingerprints[own.certificate] ?? ''}\r\na=setup:${setup}\r\n`;
  // Without it a browser has a track without a stream.
  text += 'a=msid:dialtree audio\r\n';
  const addresses = new Set([address, ...identity.addresses]);
  let preference = 65_535;
  // RFC 8445 §5.1.2: type preference 126 of host candidates, component 1.
  for (const each of addresses) {
    const priority = 126 * 2 ** 24 + preference * 2 ** 8 + 255;
    text += `a=candidate:${65_536 - preference} 1 UDP ${priority} ${each} ${identity.port} typ host\r\n`;
    preference -= 1;
  }
  return `${text}a=end-of-candidates\r\n`;
}

/** RFC 8842 §5.3: an answer chooses; we are the server unless the peer is. */
export const answeredSetup = (offered: PeerIce['setup']): 'active' | 'passive' =>
  offered === 'passive' ? 'active' : 'passive';

/** Null if it is no line of a browser. */
export function agreementOf(
  ice: PeerIce | null,
  own: OwnIce | null,
  formats: readonly RtpFormat[],
): IceAgreement | null {
  return ice && own ? { own, peer: ice, formats } : null;
}

/** BUNDLE needs a mid; a line without one gets its position. */
export const midOf = (media: { readonly mid: string | null } | undefined, line: number): string =>
  media?.mid ?? String(line);

function readFingerprint(text: string): string | undefined {
  const space = text.indexOf(' ');
  const hash = text.slice(0, Math.max(space, 0)).toLowerCase();
  const value = text.slice(space + 1).toUpperCase();
  const bytes = HASH_BYTES.get(hash);
  if (bytes === undefined || value.length !== bytes * 3 - 1 || !HEX_BYTES.test(value)) return undefined;
  return `${hash} ${value}`;
}

/** A slice would keep the whole body alive for as long as the call lasts. */
const copied = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
