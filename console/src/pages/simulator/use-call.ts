// A session on the screen: its clock runs while the page is shown, and what it plays is heard.

import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Aloud } from './aloud.ts';
import type { CallSession } from './session.ts';

const TICK_MS = 100;
const MUTED = 'dialtree.simulator.muted';
const never = (): (() => void) => () => undefined;

export interface Hearing {
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly muted: boolean;
  readonly setMuted: (muted: boolean) => void;
  readonly key: (key: string) => void;
  /** A sound could not be played. */
  readonly faulty: boolean;
}

/** Draws anew whenever the session has something new. */
export function useSessionVersion(session: CallSession | null): number {
  return useSyncExternalStore(session?.subscribe ?? never, () => session?.version ?? 0);
}

export function useClock(session: CallSession | null): void {
  useEffect(() => {
    if (!session) return;
    let last = performance.now();
    session.tick(0);
    const timer = setInterval(() => {
      const now = performance.now();
      session.tick(now - last);
      last = now;
      if (session.over) clearInterval(timer);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [session]);
}

export function useHearing(session: CallSession | null): Hearing {
  const audio = useRef<HTMLAudioElement>(null);
  const aloud = useRef<Aloud | null>(null);
  const [muted, mute] = useState(() => localStorage.getItem(MUTED) === 'yes');
  const [faulty, setFaulty] = useState(false);
  useEffect(() => {
    if (!audio.current) return;
    const made = new Aloud(audio.current, () => setFaulty(true));
    aloud.current = made;
    return () => made.close();
  }, []);
  useEffect(() => aloud.current?.setMuted(muted), [muted]);
  useEffect(() => {
    setFaulty(false);
    if (!session) return aloud.current?.stop();
    const follow = (): void => aloud.current?.follow(session);
    follow();
    const leave = session.subscribe(follow);
    return () => {
      leave();
      aloud.current?.stop();
    };
  }, [session]);
  return {
    audio,
    muted,
    faulty,
    setMuted(next) {
      localStorage.setItem(MUTED, next ? 'yes' : 'no');
      mute(next);
    },
    key: (key) => aloud.current?.key(key),
  };
}
