// A paced call on the page: its clock runs while the page is shown, and its prompts are played.

import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Flow } from '../../../../src/flow/flow.ts';
import { CallAudio } from './call-audio.ts';
import type { PacedCall } from './paced-call.ts';

const TICK_MS = 100;
const MUTED = 'dialtree.simulator.muted';
const never = (): (() => void) => () => undefined;

export interface AudioControls {
  readonly element: RefObject<HTMLAudioElement | null>;
  readonly muted: boolean;
  readonly setMuted: (muted: boolean) => void;
  readonly key: (key: string) => void;
  /** A prompt could not be played. */
  readonly faulty: boolean;
}

/** Renders again whenever the call changes. */
export function useCallVersion(paced: PacedCall | null): number {
  return useSyncExternalStore(paced?.subscribe ?? never, () => paced?.version ?? 0);
}

export function useClock(paced: PacedCall | null): void {
  useEffect(() => {
    if (!paced) return;
    let last = performance.now();
    paced.tick(0);
    const timer = setInterval(() => {
      const now = performance.now();
      paced.tick(now - last);
      last = now;
      if (paced.over) clearInterval(timer);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [paced]);
}

export function useCallAudio(paced: PacedCall | null, language: string, flow: Flow): AudioControls {
  const element = useRef<HTMLAudioElement>(null);
  const callAudio = useRef<CallAudio | null>(null);
  const [muted, mute] = useState(() => localStorage.getItem(MUTED) === 'yes');
  const [faulty, setFaulty] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const made = new CallAudio(element.current, () => setFaulty(true));
    callAudio.current = made;
    return () => made.close();
  }, []);
  useEffect(() => callAudio.current?.setMuted(muted), [muted]);
  useEffect(() => callAudio.current?.setPrompts({ language, recordings: flow.recordings }), [language, flow]);
  useEffect(() => {
    setFaulty(false);
    if (!paced) return callAudio.current?.stop();
    const follow = (): void => callAudio.current?.follow(paced);
    follow();
    const leave = paced.subscribe(follow);
    return () => {
      leave();
      callAudio.current?.stop();
    };
  }, [paced]);
  return {
    element,
    muted,
    faulty,
    setMuted(next) {
      localStorage.setItem(MUTED, next ? 'yes' : 'no');
      mute(next);
    },
    key: (key) => callAudio.current?.key(key),
  };
}
