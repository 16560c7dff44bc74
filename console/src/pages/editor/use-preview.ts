import { useCallback, useEffect, useRef } from 'react';
import { client, recordingAudioUrl } from '../../data/client.ts';
import { useWords } from '../../words/words.tsx';
import type { Speech } from './text-tab.tsx';

/** A preview is a recording of its own, so that callers hear nothing of it; it is deleted when the next one or the page's end comes. */
export function usePreview(): (speech: Speech) => Promise<string> {
  const { t } = useWords();
  const last = useRef<string | null>(null);
  const drop = useCallback(() => {
    const id = last.current;
    last.current = null;
    if (id !== null) client.deleteRecording({ params: { id }, query: {} }).catch(() => undefined);
  }, []);
  useEffect(() => drop, [drop]);
  return async (speech) => {
    drop();
    const { id } = await client.createRecording({ body: { ...speech, name: t('editor.text.preview') } });
    last.current = id;
    return recordingAudioUrl(id);
  };
}
