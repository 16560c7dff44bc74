// A value that changes often, passed on a few times a second: a page with hundreds of rows is not drawn for each event.
import { useEffect, useRef, useState } from 'react';

const EVERY_MS = 250;

export function useCalm<T>(value: T): T {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  const drawnMs = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (latest.current === shown || timer.current !== undefined) return;
    const waitMs = Math.max(0, drawnMs.current + EVERY_MS - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      drawnMs.current = performance.now();
      setShown(latest.current);
    }, waitMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return shown;
}
