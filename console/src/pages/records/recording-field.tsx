// A choice of one of the account's recordings, with a player.
import { useMemo } from 'react';
import { referenceText, splitReference } from '../../../../src/domain/reference.ts';
import { recordingAudioUrl } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { type Option, Picker } from '../../kit/picker.tsx';
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
  /** The label of the empty choice: what is played without a recording. */
  readonly instead?: string;
}

export function RecordingField({ instead, ...field }: RecordingFieldProps) {
  const { chosen, ...choice } = useRecordingChoice(field.value, instead);
  return (
    <div className="records-recording">
      <Picker {...field} {...choice} />
      {chosen && <Player src={recordingAudioUrl(chosen.id, chosen.version)} label={chosen.name} />}
    </div>
  );
}

/** The recording that a reference names, and what a Picker offers: `instead` is the label of the empty choice. */
export function useRecordingChoice(reference: string, instead: string | undefined) {
  const { t, duration } = useWords();
  const { items } = useRecords('recording');
  const options = useMemo(
    () => [
      ...(instead === undefined ? [] : [{ value: '', label: instead }]),
      ...items.map((item) => ({
        value: referenceText('recording', item.id),
        label: item.name,
        note: duration(item.duration_ms),
      })),
    ],
    [items, duration, instead],
  );
  // A reference to a recording that was deleted.
  const also = (text: string): readonly Option[] =>
    text.startsWith('recording||')
      ? [{ value: text, label: t('kit.missing', { name: splitReference(text).id }) }]
      : [];
  const { id } = splitReference(reference);
  return { chosen: items.find((item) => item.id === id), options, also };
}
