// Which microphone and which loudspeaker calls use, in this browser.
import { useCallback, useEffect, useState } from 'react';
import { SelectField } from '../kit/field.tsx';
import { useWords } from '../words/words.tsx';
import {
  chooseDevice,
  chosenDevice,
  type Device,
  type Devices,
  type DeviceUse,
  listDevices,
} from './devices.ts';

const NONE: Devices = { microphones: [], speakers: [] };

/** `onChange`: calls that go on change over. */
export function DeviceFields({ onChange }: { readonly onChange: (use: DeviceUse) => void }) {
  const { t } = useWords();
  const [devices, setDevices] = useState(NONE);
  const [, setRound] = useState(0);
  const look = useCallback(() => void listDevices().then(setDevices, () => undefined), []);
  useEffect(() => {
    look();
    const { mediaDevices } = navigator;
    if (!mediaDevices) return;
    mediaDevices.addEventListener('devicechange', look);
    return () => mediaDevices.removeEventListener('devicechange', look);
  }, [look]);
  const field = (use: DeviceUse, label: string, all: readonly Device[]) => (
    <SelectField
      label={label}
      value={all.some(({ id }) => id === chosenDevice(use)) ? chosenDevice(use) : ''}
      options={[
        { value: '', label: t('phone.device.own') },
        ...all.map(({ id, label: name }, at) => ({ value: id, label: name || `${label} ${at + 1}` })),
      ]}
      onChange={(id) => {
        chooseDevice(use, id);
        setRound((round) => round + 1);
        onChange(use);
      }}
    />
  );
  return (
    <>
      {field('microphone', t('phone.device.microphone'), devices.microphones)}
      {devices.speakers.length > 0 && field('speaker', t('phone.device.speaker'), devices.speakers)}
    </>
  );
}
