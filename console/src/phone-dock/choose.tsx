// The phone before a call: what to call, devices, and a test of both.
import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { CallablePicker } from '../kit/callable-picker.tsx';
import { DeviceFields } from '../phone/device-fields.tsx';
import { useWords } from '../words/words.tsx';
import { openDock } from './dock-store.ts';
import { EchoTest } from './echo-test.tsx';

export function Choose() {
  const { t } = useWords();
  const [chosen, setChosen] = useState({ to: '', name: '' });
  const [round, setRound] = useState(0);
  return (
    <div className="dock-body">
      <CallablePicker
        label={t('dock.what')}
        value={chosen.to}
        onChange={(to, name) => setChosen({ to, name })}
      />
      <Button
        kind="primary"
        icon="phone"
        disabled={chosen.to === ''}
        onClick={() => openDock({ kind: 'destination', ...chosen })}
      >
        {t('dock.call')}
      </Button>
      <DeviceFields onChange={() => setRound(round + 1)} />
      <EchoTest key={round} />
    </div>
  );
}
