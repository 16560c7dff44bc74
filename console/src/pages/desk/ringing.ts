// A call that rings is heard, shown in the title of the tab, and in a notification where the page is not seen.
import { useEffect } from 'react';
import type { CallView } from '../../phone/phone-call.ts';
import { RINGBACK, RingTone } from '../../phone/ring-tone.ts';
import { useWords } from '../../words/words.tsx';

export const callerOf = ({ name, number }: Pick<CallView, 'name' | 'number'>): string =>
  name === '' || name === number ? number : `${name} (${number})`;

/** `isPhone`: of the tabs the one that rings. */
export function useRinging(call: CallView | undefined, isPhone: boolean, isTalking: boolean): void {
  const { t } = useWords();
  const caller = call && callerOf(call);
  const id = call?.id;
  useEffect(() => {
    if (caller === undefined) return;
    const former = document.title;
    document.title = t('desk.ringing.title', { caller });
    return () => {
      document.title = former;
    };
  }, [caller, t]);
  useEffect(() => {
    if (id === undefined || !isPhone || isTalking) return;
    const tone = new RingTone();
    tone.start();
    return () => tone.stop();
  }, [id, isPhone, isTalking]);
  useEffect(() => {
    if (id === undefined || caller === undefined || !isPhone) return;
    const shown = notify(t('desk.ringing.notice', { caller }), id);
    return () => shown?.close();
  }, [id, caller, isPhone, t]);
}

/** The caller's side hears that it rings. */
export function useRingback(isRingingThere: boolean, isPhone: boolean): void {
  useEffect(() => {
    if (!isRingingThere || !isPhone) return;
    const tone = new RingTone(RINGBACK);
    tone.start();
    return () => tone.stop();
  }, [isRingingThere, isPhone]);
}

function notify(text: string, tag: string): Notification | null {
  if (!document.hidden || !('Notification' in globalThis) || Notification.permission !== 'granted')
    return null;
  try {
    const shown = new Notification(text, {
      tag,
      icon: `${import.meta.env.BASE_URL}icon.svg`,
      requireInteraction: true,
    });
    shown.onclick = () => {
      globalThis.focus();
      shown.close();
    };
    return shown;
  } catch {
    // Browsers of telephones show notifications of service workers alone.
    return null;
  }
}

export const mayAskToNotify = (): boolean =>
  'Notification' in globalThis && Notification.permission === 'default';
