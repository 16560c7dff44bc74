// One of the account's recordings, and how it sounds.
import { useMemo } from 'react';
import { splitReference } from '../../../../src/domain/reference.ts';
import { recordingAudioUrl } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { Picker } from '../../kit/picker.tsx';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';

interface RecordingFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly fault: string | undefined;
  /** `recording||<id>`, or empty. */
  readonly value: string;
  readonly onChange: (reference: string) => void;
  readonly required?: boolean;
  /** What is played where nothing is chosen. */
  readonly instead?: string;
}

export function RecordingField({ value, required = false, instead, hint, ...rest }: RecordingFieldProps) {
  const { t, duration } = useWords();
  const { items } = useRecords('recording');
  const options = useMemo(
    () => [
      ...(instead === undefined ? [] : [{ value: '', label: instead }]),
      ...items.map((item) => ({
        value: `recording||${item.id}`,
        label: item.name,
        note: duration(item.duration_ms),
      })),
    ],
    [items, duration, instead],
  );
  const { id } = splitReference(value);
  const chosen = items.find((item) => item.id === id);
  const also = (text: string) =>
    text.startsWith('recording||')
      ? [{ value: text, label: t('kit.missing', { name: splitReference(text).id }) }]
      : [];
  return (
    <div className="records-recording">
      <Picker
        {...rest}
        value={value}
        options={options}
        also={also}
        required={required}
        {...(hint === undefined ? {} : { hint })}
      />
      {chosen && <Player src={recordingAudioUrl(id, chosen.version)} label={chosen.name} />}
    </div>
  );
}
