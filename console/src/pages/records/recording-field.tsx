// A choice of one of the account's recordings, with a player; one that does not exist yet is made in place.
import { lazy, Suspense, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { referenceText, splitReference } from '../../../../src/kinds/reference.ts';
import { recordingAudioUrl } from '../../data/client.ts';
import { useMay } from '../../data/may.ts';
import { useNamesOf } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { type Option, Picker } from '../../kit/picker.tsx';
import { Player } from '../../kit/player.tsx';
import { Loading } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';

const MakeRecording = lazy(async () => ({
  default: (await import('../editor/make-recording.tsx')).MakeRecording,
}));

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
  const { t } = useWords();
  const { chosen, ...choice } = useRecordingChoice(field.value, instead);
  const mayMake = useMay()('createRecording');
  const [making, setMaking] = useState(false);
  const title = t('editor.prompt.new.for', { place: field.label });
  return (
    <div className="records-recording">
      <Picker {...field} {...choice} />
      {mayMake && (
        <Button icon="recording" aria-label={title} onClick={() => setMaking(true)}>
          {t('editor.prompt.new')}
        </Button>
      )}
      {chosen && <Player src={recordingAudioUrl(chosen.id, chosen.version)} label={chosen.name} />}
      {making &&
        // In the frame: the field is inside a form, and the dialog has one of its own.
        createPortal(
          <Dialog title={title} open onClose={() => setMaking(false)}>
            <Suspense fallback={<Loading />}>
              <MakeRecording
                onMade={(made) => {
                  setMaking(false);
                  field.onChange(referenceText('recording', made));
                }}
              />
            </Suspense>
          </Dialog>,
          document.querySelector('.shell') ?? document.body,
        )}
    </div>
  );
}

/** The recording that a reference names, and what a Picker offers: `instead` is the label of the empty choice. */
export function useRecordingChoice(reference: string, instead: string | undefined) {
  const { duration } = useWords();
  const { items } = useRecords('recording');
  const nameOf = useNamesOf('recording');
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
    text.startsWith('recording||') ? [{ value: text, label: nameOf(splitReference(text).id) }] : [];
  const { id } = splitReference(reference);
  return { chosen: items.find((item) => item.id === id), options, also };
}
