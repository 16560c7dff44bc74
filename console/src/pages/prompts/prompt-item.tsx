import { useState } from 'react';
import { recordingAudioUrl } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { TextArea } from '../../kit/field.tsx';
import { Player } from '../../kit/player.tsx';
import { useWords } from '../../words/words.tsx';
import type { PromptRow } from './prompt-rows.ts';

interface PromptItemProps {
  readonly row: PromptRow;
  readonly text: string;
  readonly fault: string | undefined;
  /** Shipped in the language: without an own one callers do not hear English. */
  readonly isShipped: boolean;
  /** Null if the user may only look. */
  readonly edit: PromptEdit | null;
  readonly busy: boolean;
}

export interface PromptEdit {
  readonly onText: (row: PromptRow, text: string) => void;
  /** The address of a preview; null: it was refused. */
  readonly onListen: (row: PromptRow, text: string) => Promise<string | null>;
  readonly onKeep: (row: PromptRow) => void;
  readonly onRemove: (row: PromptRow) => void;
}

/** One prompt: its English text, the text in the language, and how that sounds before it is kept. */
export function PromptItem({ row, text, fault, isShipped, edit, busy }: PromptItemProps) {
  const { t } = useWords();
  const [heard, setHeard] = useState<{ readonly of: string; readonly url: string } | null>(null);
  const { english, version, translation } = row;
  const listen = async (): Promise<void> => {
    const url = (await edit?.onListen(row, text)) ?? null;
    setHeard(url === null ? null : { of: text, url });
  };
  const isTyped = text.trim() !== '' && text.trim() !== translation;
  return (
    <li className="records-item">
      <div className="records-item-main">
        <TextArea
          label={english}
          rows={2}
          maxLength={2_000}
          value={text}
          readOnly={edit === null}
          onChange={(typed) => edit?.onText(row, typed)}
          fault={fault}
        />
        {heard?.of === text && <Player src={heard.url} label={t('editor.text.preview')} />}
      </div>
      <div className="records-item-actions">
        {version !== null && <Badge tone="good">{t('prompts.own')}</Badge>}
        {version === null && !isShipped && <Badge tone="warn">{t('prompts.inEnglish')}</Badge>}
        {version !== null && <Player src={recordingAudioUrl(row.id, version)} label={english} />}
        {edit && isTyped && (
          <>
            <Button
              icon="play"
              disabled={busy}
              aria-label={`${t('editor.text.listen')}: ${english}`}
              onClick={() => void listen()}
            >
              {t('editor.text.listen')}
            </Button>
            <Button
              icon="announcement"
              disabled={busy}
              aria-label={`${t('prompts.keep')}: ${english}`}
              onClick={() => edit.onKeep(row)}
            >
              {t('prompts.keep')}
            </Button>
          </>
        )}
        {edit && version !== null && (
          <IconButton
            icon="trash"
            disabled={busy}
            label={`${t('prompts.remove')}: ${english}`}
            onClick={() => edit.onRemove(row)}
          />
        )}
      </div>
    </li>
  );
}
