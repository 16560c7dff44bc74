import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CodecName } from '../../../media/codec.ts';
import { Negotiation } from '../../../media/sdp/negotiation.ts';
import type { TransportFlow } from '../../../sip/transports/transport.ts';
import { RETURNED_MS, Wideband, widen } from './wideband.ts';

const flow = { protocol: 'udp', connection: 0 } as TransportFlow;

interface PhoneOptions {
  readonly called?: boolean;
  readonly refusesBack?: boolean;
  readonly isBrowser?: boolean;
  /** Its page is being loaded again. */
  isAway?: boolean;
  connection?: number;
  /** A registered phone; else a visitor, a trunk or a caller on this machine. */
  readonly isPhone?: boolean;
}

const identity = (port: number) => ({
  port,
  addresses: [],
  fingerprints: [`sha-256 ${Array(32).fill('AB').join(':')}`],
});

/** A phone, and the leg with it: what was agreed, and every offer that the phone got. */
function phone(has: readonly CodecName[], options: PhoneOptions = {}) {
  const carriage = options.isBrowser ? ('browser' as const) : ('plain' as const);
  const ours = new Negotiation({ address: '127.0.0.1', port: 20_000, carriage, webrtc: identity(1) });
  const theirs = new Negotiation({
    address: '127.0.0.1',
    port: 30_000,
    codecs: has,
    carriage,
    webrtc: identity(2),
  });
  if (options.called) {
    const answer = theirs.answer(ours.offer());
    if ('sdp' in answer) ours.accept(answer.sdp);
  } else ours.answer(theirs.offer('sendrecv', has));
  let settings = ours.settings;
  const offers: string[] = [];
  const waiting: (() => void)[] = [];
  const lost: string[] = [];
  const wideband = new Wideband({
    leg: { phone: options.isPhone === false ? null : 'x', lost: (text) => lost.push(text) },
    isOver: () => lost.length > 0,
    settings: () => settings,
    established: () => ({
      negotiation: ours,
      session: {
        flow,
        get connection() {
          return options.connection ?? 1;
        },
        reinvite: (sdp, answered) => {
          const text = sdp.toString('latin1');
          offers.push(text.includes('opus') ? 'opus' : text.includes('G722') ? 'wideband' : 'own');
          const isRefused = options.refusesBack && offers.at(-1) === 'own';
          const answer = isRefused ? null : theirs.answer(sdp);
          waiting.push(() => {
            if (options.isAway) answered(null, 0);
            else if (answer && 'sdp' in answer) answered(answer.sdp, 200);
            else answered(null, 488);
          });
        },
      },
    }),
    configure: (agreed) => {
      settings = agreed;
    },
  });
  const offersItself = () => {
    ours.answer(theirs.offer('sendrecv', ['pcmu']));
    if (!wideband.isAsking) {
      settings = ours.settings;
      wideband.agreed();
    }
  };
  return { wideband, offers, lost, answer: () => waiting.shift()?.(), offersItself };
}

const BOTH = ['g722', 'pcmu'] as const;
const always = () => true;

describe('two phones', () => {
  it('are asked one after the other, first the one that may refuse', () => {
    const caller = phone(BOTH);
    const called = phone(BOTH, { called: true });
    widen(caller.wideband, called.wideband, always);
    expect([caller.offers, called.offers]).toEqual([[], ['wideband']]);
    called.answer();
    expect(caller.offers).toEqual(['wideband']);
    caller.answer();
    expect([caller.wideband.codec, called.wideband.codec]).toEqual(['g722', 'g722']);
  });

  it('stay as they are when one has no G.722, and it is not asked again', () => {
    const caller = phone(BOTH);
    const called = phone(['pcmu'], { called: true });
    widen(caller.wideband, called.wideband, always);
    called.answer();
    widen(caller.wideband, called.wideband, always);
    expect([caller.offers, called.offers]).toEqual([[], ['wideband']]);
    expect(called.wideband.codec).toBe(null);
  });

  it('are not asked when the caller offered none', () => {
    const caller = phone(['pcmu']);
    const called = phone(BOTH, { called: true });
    widen(caller.wideband, called.wideband, always);
    expect([...caller.offers, ...called.offers]).toEqual([]);
  });

  it('go back when they are no longer alone while the second is asked', () => {
    const caller = phone(BOTH);
    const called = phone(BOTH, { called: true });
    widen(caller.wideband, called.wideband, () => false);
    called.answer();
    called.answer();
    expect(called.offers).toEqual(['wideband', 'own']);
    expect([caller.offers.length, called.wideband.codec]).toEqual([0, null]);
  });
});

describe('two browsers', () => {
  const OPUS = ['opus', 'pcmu'] as const;

  it('are asked for Opus, also a visitor, and also where both were called', () => {
    const visitor = phone(OPUS, { isBrowser: true, isPhone: false, called: true });
    const called = phone(OPUS, { isBrowser: true, called: true });
    widen(visitor.wideband, called.wideband, always);
    called.answer();
    visitor.answer();
    expect([visitor.offers, called.offers]).toEqual([['opus'], ['opus']]);
    expect([visitor.wideband.codec, called.wideband.codec]).toEqual(['opus', 'opus']);
    called.wideband.end();
    called.answer();
    expect(called.wideband.codec).toBe(null);
  });

  it('keep what they have when one refuses Opus', () => {
    const caller = phone(OPUS, { isBrowser: true });
    const called = phone(['pcmu'], { isBrowser: true, called: true });
    widen(caller.wideband, called.wideband, always);
    called.answer();
    expect([caller.offers, called.offers]).toEqual([[], ['opus']]);
  });
});

describe('a browser and a phone', () => {
  it('are asked for G.722, the phone only if it is registered', () => {
    const caller = phone(['opus', 'g722', 'pcmu'], { isBrowser: true });
    const called = phone(BOTH, { called: true });
    widen(caller.wideband, called.wideband, always);
    called.answer();
    caller.answer();
    expect([caller.wideband.codec, called.wideband.codec]).toEqual(['g722', 'g722']);
    const trunk = phone(BOTH, { isPhone: false });
    widen(caller.wideband, trunk.wideband, always);
    expect(trunk.offers).toEqual([]);
  });
});

describe('a phone', () => {
  it('goes back as soon as its answer is there, when a sound is needed before', () => {
    const { wideband, offers, answer } = phone(BOTH);
    wideband.ask('g722', () => expect.unreachable());
    wideband.end();
    expect(offers).toEqual(['wideband']);
    answer();
    answer();
    expect(offers).toEqual(['wideband', 'own']);
    expect(wideband.codec).toBe(null);
  });

  describe('that is away for a moment', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());
    const OPUS = ['opus', 'pcmu'] as const;

    /** In Opus, and away when it has to go back. */
    function away() {
      const options: PhoneOptions = { isBrowser: true };
      const page = phone(OPUS, options);
      page.wideband.ask('opus', () => undefined);
      page.answer();
      options.isAway = true;
      page.wideband.end();
      page.answer();
      return { ...page, options };
    }

    it('is neither hung up nor asked before it is back, and then goes back to a codec of ours', () => {
      const { wideband, offers, lost, answer, options } = away();
      vi.advanceTimersByTime(60_000);
      expect([offers, lost, wideband.isAsking]).toEqual([['opus', 'own'], [], false]);
      options.isAway = false;
      wideband.returned();
      expect(offers).toHaveLength(2);
      vi.advanceTimersByTime(RETURNED_MS);
      answer();
      expect([offers, lost, wideband.codec]).toEqual([['opus', 'own', 'own'], [], null]);
    });

    it('is not asked where its own offer has brought it back', () => {
      const { wideband, offers, offersItself } = away();
      wideband.returned();
      offersItself();
      vi.advanceTimersByTime(RETURNED_MS);
      expect([offers, wideband.codec]).toEqual([['opus', 'own'], null]);
    });

    it('whenever it has to go back is hung up', () => {
      const { wideband, lost, answer } = away();
      wideband.returned();
      vi.advanceTimersByTime(RETURNED_MS);
      answer();
      expect(lost).toEqual(['The phone kept a codec that no sound can be played in.']);
    });

    it('is asked when the answer got lost with its old connection, and it is there by another already', () => {
      const options: PhoneOptions = { isBrowser: true };
      const { wideband, offers, answer } = phone(OPUS, options);
      wideband.ask('opus', () => undefined);
      answer();
      wideband.end();
      options.connection = 2;
      options.isAway = true;
      answer();
      options.isAway = false;
      vi.advanceTimersByTime(RETURNED_MS);
      answer();
      expect([offers, wideband.codec]).toEqual([['opus', 'own', 'own'], null]);
    });

    it('when it is asked for Opus is asked for a codec of ours once it is back: it may have changed', () => {
      const options: PhoneOptions = { isBrowser: true, isAway: true };
      const { wideband, offers, answer } = phone(OPUS, options);
      wideband.ask('opus', () => undefined);
      answer();
      options.isAway = false;
      wideband.returned();
      vi.advanceTimersByTime(RETURNED_MS);
      answer();
      expect([offers, wideband.codec]).toEqual([['opus', 'own'], null]);
    });
  });

  it('is asked again when its answer is none to our last description, as after offers that crossed', () => {
    const { wideband, offers, answer, offersItself } = phone(BOTH);
    wideband.ask('g722', () => undefined);
    offersItself();
    answer();
    expect(offers).toEqual(['wideband', 'own']);
    answer();
    expect([offers.length, wideband.codec]).toEqual([2, null]);
  });

  it('that refuses to go back twice is hung up: nothing could be played to it', () => {
    const { wideband, offers, lost, answer } = phone(BOTH, { refusesBack: true });
    wideband.ask('g722', () => undefined);
    answer();
    wideband.end();
    answer();
    expect(lost).toEqual([]);
    answer();
    expect(offers).toEqual(['wideband', 'own', 'own']);
    expect(lost).toEqual(['The phone kept a codec that no sound can be played in.']);
  });
});
