// Session timers (RFC 4028): one side refreshes the session periodically; without a refresh the call ends.
import { hasToken, readSeconds } from '../header-tokens.ts';
import { headerOf, type SipRequest, type SipResponse } from '../message.ts';
import type { Timer, Timers } from '../timers.ts';
import type { HeaderList } from './capabilities.ts';
import type { SessionSettings } from './core.ts';

export interface TimerTerms {
  readonly intervalS: number;
  readonly weRefresh: boolean;
}

interface SessionExpires {
  readonly seconds: number;
  readonly refresher: 'uac' | 'uas' | null;
}

/** A day; more would be the same as no timer. */
const LONGEST_S = 86_400;

function readSessionExpires(message: SipRequest | SipResponse): SessionExpires | null {
  const value = headerOf(message, 'session-expires');
  const seconds = readSeconds(value);
  if (value === undefined || seconds === undefined) return null;
  let refresher: SessionExpires['refresher'] = null;
  for (const param of value.split(';')) {
    const [name = '', given = ''] = param.split('=');
    if (name.trim().toLowerCase() !== 'refresher') continue;
    const word = given.trim().toLowerCase();
    if (word === 'uac' || word === 'uas') refresher = word;
  }
  return { seconds: Math.min(seconds, LONGEST_S), refresher };
}

const minSeOf = (message: SipRequest | SipResponse): number =>
  Math.min(readSeconds(headerOf(message, 'min-se')) ?? 0, LONGEST_S);

/** The Min-SE for a 422, when the peer's interval is below our minimum (RFC 4028 §9). */
export function tooSmallInterval(request: SipRequest, settings: SessionSettings): number | null {
  const asked = readSessionExpires(request);
  if (asked === null || !speaksTimer(request)) return null;
  return asked.seconds < settings.minSessionExpiresS ? settings.minSessionExpiresS : null;
}

const speaksTimer = (message: SipRequest | SipResponse): boolean =>
  hasToken(message, 'supported', 'timer') || hasToken(message, 'require', 'timer');

/** What our 2xx to an INVITE or UPDATE says (RFC 4028 §9). A peer that knows no timers is refreshed by us. */
export function agreeAsUas(
  request: SipRequest,
  settings: SessionSettings,
): { readonly terms: TimerTerms; readonly headers: HeaderList } {
  const asked = readSessionExpires(request);
  const least = Math.max(minSeOf(request), settings.minSessionExpiresS);
  const wanted = Math.min(asked?.seconds ?? settings.sessionExpiresS, settings.sessionExpiresS);
  const intervalS = Math.max(wanted, least);
  const refresher = speaksTimer(request) ? (asked?.refresher ?? 'uac') : 'uas';
  const headers: [string, string][] = [['session-expires', `${intervalS};refresher=${refresher}`]];
  if (refresher === 'uac') headers.push(['require', 'timer']);
  return { terms: { intervalS, weRefresh: refresher === 'uas' }, headers };
}

/** What our INVITE, re-INVITE or UPDATE asks for. `minSeS` is that of a 422 before, or 0. */
export function askAsUac(settings: SessionSettings, minSeS: number, refreshing: boolean): HeaderList {
  const least = Math.max(settings.minSessionExpiresS, minSeS);
  const seconds = Math.max(settings.sessionExpiresS, least);
  return [
    ['session-expires', refreshing ? `${seconds};refresher=uac` : `${seconds}`],
    ['min-se', `${least}`],
  ];
}

/** The Min-SE of a 422, or 0 if it makes no sense to try again. */
export const minSeOf422 = (response: SipResponse): number =>
  response.status === 422 ? minSeOf(response) : 0;

/** What the 2xx to our request made of it; null: no timer (RFC 4028 §7.2). */
export function agreeAsUac(response: SipResponse): TimerTerms | null {
  const said = readSessionExpires(response);
  if (said === null || said.seconds === 0) return null;
  return { intervalS: said.seconds, weRefresh: said.refresher !== 'uas' };
}

export class SessionTimer {
  readonly #timers: Timers;
  readonly #refresh: () => void;
  readonly #expired: () => void;
  #timer: Timer | null = null;
  #terms: TimerTerms | null = null;

  constructor(timers: Timers, refresh: () => void, expired: () => void) {
    this.#timers = timers;
    this.#refresh = refresh;
    this.#expired = expired;
  }

  /** After a request of ours: if the peer does not mention timers, the refresher stays the same (RFC 4028 §7.2). */
  renew(terms: TimerTerms | null): void {
    this.restart(terms ?? (this.#terms?.weRefresh === true ? this.#terms : null));
  }

  /** Starts now; replaces the running timer. */
  restart(terms: TimerTerms | null): void {
    this.stop();
    this.#terms = terms;
    if (terms === null) return;
    // RFC 4028 §10: the BYE goes out a little before the end, so that both sides end at once.
    const endMs = (terms.intervalS - Math.min(32, terms.intervalS / 3)) * 1000;
    const expire = (): void => {
      this.#timer = null;
      this.#expired();
    };
    if (!terms.weRefresh) {
      this.#timer = this.#timers.start(endMs, expire);
      return;
    }
    const halfMs = terms.intervalS * 500;
    this.#timer = this.#timers.start(halfMs, () => {
      this.#timer = this.#timers.start(endMs - halfMs, expire);
      this.#refresh();
    });
  }

  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
  }
}
