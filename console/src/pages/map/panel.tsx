// A panel beside the map: takes the focus when it opens, returns it when it closes; Escape closes it.
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

interface PanelProps {
  readonly label: string;
  /** When it changes, the panel takes the focus again. */
  readonly about: string | number;
  /** It was open when the page was loaded: the focus stays at the start of the page. */
  readonly calm: boolean;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Panel({ label, about, calm, className = '', onClose, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  const quiet = useRef(calm);
  useLayoutEffect(() => {
    const { current } = panel;
    const opener = document.activeElement;
    return () => {
      const { activeElement } = document;
      if (activeElement !== document.body && !current?.contains(activeElement)) return;
      // The card that had the focus may be unmounted; the map itself is not.
      const back = opener?.closest('.map-stage') ?? (opener?.isConnected ? opener : null);
      const to = back ?? document.querySelector('.map-stage');
      if (to instanceof HTMLElement) to.focus({ preventScroll: true });
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is about something else
  useEffect(() => {
    if (!quiet.current) panel.current?.focus({ preventScroll: true });
    quiet.current = false;
  }, [about]);
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const inDialog = event.target instanceof Element && event.target.closest('dialog');
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing || inDialog) return;
    event.preventDefault();
    onClose();
  };
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className={`map-panel ${className}`.trim()}
      aria-label={label}
      onKeyDown={onKey}
    >
      {children}
    </aside>
  );
}
