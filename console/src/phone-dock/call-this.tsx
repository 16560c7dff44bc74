// Buttons that ask the phone of the console to call, for any page.
import { useMay } from '../data/may.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { useWords } from '../words/words.tsx';
import { openDock } from './dock-store.ts';

interface CallThisProps {
  /** A destination such as ivr||main, or a number of the account. */
  readonly to: string;
  readonly name: string;
  readonly label?: string;
}

/** As a caller from outside would. */
export function CallThis({ to, name, label }: CallThisProps) {
  const { t } = useWords();
  // Phone sessions of guests: not for agents.
  if (!useMay()('listenIn')) return null;
  return (
    <IconButton
      icon="phone"
      label={label ?? t('dock.callThis', { name })}
      onClick={() => openDock({ kind: 'destination', to, name })}
    />
  );
}

interface CallBackProps {
  /** Null if withheld, and there is no button. */
  readonly number: string | null;
  readonly name: string;
  readonly small?: boolean;
}

/** The caller of calls from web pages: it is no number that could be called. */
const WEB = 'web';

export function CallBack({ number, name, small = false }: CallBackProps) {
  const { t } = useWords();
  const may = useMay();
  if (number === null || number === WEB || !/\d/.test(number) || !may('createPhoneSession')) return null;
  const call = (): void => openDock({ kind: 'number', number, name });
  if (small)
    return <IconButton icon="phone" label={t('dock.callBack.of', { name: name || number })} onClick={call} />;
  return (
    <Button icon="phone" onClick={call}>
      {t('dock.callBack')}
    </Button>
  );
}
