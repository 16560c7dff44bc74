import { type FormEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { Keypad } from '../../phone/keypad.tsx';
import { useWords } from '../../words/words.tsx';

interface DiallerProps {
  readonly isReady: boolean;
  readonly onCall: (number: string) => void;
}

export function Dialler({ isReady, onCall }: DiallerProps) {
  const { t } = useWords();
  const [number, setNumber] = useState('');
  const call = (event: FormEvent): void => {
    event.preventDefault();
    const dialled = number.replace(/[\s()/.-]/g, '');
    if (dialled === '' || !isReady) return;
    onCall(dialled);
    setNumber('');
  };
  return (
    <form className="desk-dialler" onSubmit={call}>
      <TextField
        label={t('desk.number')}
        value={number}
        onChange={setNumber}
        inputMode="tel"
        autoComplete="off"
      />
      <Keypad label={t('desk.keypad')} onKey={(key) => setNumber((before) => before + key)} />
      <Button kind="primary" icon="phone" type="submit" disabled={!isReady || number.trim() === ''}>
        {t('desk.dial')}
      </Button>
    </form>
  );
}
