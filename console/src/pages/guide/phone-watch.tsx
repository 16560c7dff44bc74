// Shows when a phone of an agent registers. Polls with back-off, and not while the page is hidden.
import { useEffect, useState } from 'react';
import type { Operations } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { nextWait } from './back-off.ts';

type Phones = Operations['listPhones']['answer'];

/** Null: not known yet. */
export function usePhones(eid: string): { readonly phones: Phones | null; readonly failed: boolean } {
  const [state, setState] = useState<{ phones: Phones | null; failed: boolean }>({
    phones: null,
    failed: false,
  });
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waitMs = 0;
    let asking = false;
    const ask = async (): Promise<void> => {
      if (stop.signal.aborted || asking || document.hidden) return;
      asking = true;
      try {
        const phones = await client.listPhones({ params: { eid }, signal: stop.signal });
        if (!stop.signal.aborted) setState({ phones, failed: false });
      } catch {
        if (!stop.signal.aborted) setState(({ phones }) => ({ phones, failed: true }));
      } finally {
        asking = false;
      }
      if (stop.signal.aborted) return;
      waitMs = nextWait(waitMs);
      timer = setTimeout(() => void ask(), waitMs);
    };
    /** Polls at once when the page becomes visible: the phone may just have been set up. */
    const look = (): void => {
      clearTimeout(timer);
      waitMs = 0;
      void ask();
    };
    setState({ phones: null, failed: false });
    void ask();
    document.addEventListener('visibilitychange', look);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [eid]);
  return state;
}

export function PhoneWatch({ eid, name }: { readonly eid: string; readonly name: string }) {
  const { t } = useWords();
  const { phones, failed } = usePhones(eid);
  const phone = phones?.[0];
  return (
    <p role="status" className={phone ? 'guide-watch guide-watch-good' : 'guide-watch'}>
      <Icon name={phone ? 'check' : failed ? 'warn' : 'phone'} />
      <span>
        {phone
          ? t('guide.phone.here', { name, phone: phone.user_agent || t('guide.phone.unnamed') })
          : failed
            ? t('guide.phone.failed')
            : t('guide.phone.waiting', { name })}
      </span>
    </p>
  );
}
