// What is sent for one outgoing leg, and what is to be called at its end.
import type { SrtpPreference } from '../../media/sdp/negotiation.ts';
import type { SrtpMode } from '../ports/trunk.ts';
import type { DialOptions } from '../telephony.ts';
import { PASSES_HEADER } from './legs/leg.ts';
import type { Invite } from './legs/outgoing-leg.ts';

export type Dialled = DialOptions & { readonly maxForwards: number; readonly passes: number };

export const passesHeader = ({ passes }: Dialled) => [[PASSES_HEADER, String(passes)]] as const;

/** RFC 5373, and what phones understand in its place: Call-Info of Snom, Grandstream and Yealink, Alert-Info of Polycom and Yealink. */
const AUTO_ANSWER = [
  ['answer-mode', 'Auto'],
  ['call-info', '<sip:intercom@localhost>;answer-after=0'],
  ['alert-info', '<sip:intercom@localhost>;info=alert-autoanswer;delay=0'],
] as const;

export const phoneHeaders = (options: Dialled) =>
  options.autoAnswer ? [...passesHeader(options), ...AUTO_ANSWER] : passesHeader(options);

/** INVITEs to send, and what to call at the end. */
export interface Invites {
  readonly all: readonly Invite[];
  readonly ended: () => void;
}

/** Keys in an offer are for who reads the signalling: without TLS they are offered only where SRTP is required. */
export const srtpPreference = (mode: SrtpMode, isTls: boolean): SrtpPreference => ({
  mode,
  offers: mode === 'required' || (mode === 'offered' && isTls),
});

export const nothing = (): void => undefined;

/** Ends both; null when one of them is missing, and the other is ended. */
export function both(one: (() => void) | null, other: (() => void) | null): (() => void) | null {
  if (one && other)
    return () => {
      one();
      other();
    };
  one?.();
  other?.();
  return null;
}
