// Recording with the microphone: a level meter, and a player before it is kept.
import { useEffect, useMemo, useRef } from 'react';
import { Button } from '../../kit/button.tsx';
import { Player } from '../../kit/player.tsx';
import { Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import type { AudioSamples } from './audio-file.ts';
import { useMicrophone } from './microphone.ts';
import { SendingBar } from './sending-bar.tsx';

interface RecordTabProps {
  readonly part: number | null;
  readonly fault: string | undefined;
  onKeep(wav: Blob): void;
}

export function RecordTab({ part, fault, onKeep }: RecordTabProps) {
  const { t } = useWords();
  const { state, level, seconds, start, stop, discard } = useMicrophone();
  const stopButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button is gone: focus the one that replaces it.
    if (state.is === 'recording') stopButton.current?.focus();
  }, [state.is]);
  return (
    <div className="editor-record">
      {state.is === 'failed' && <Notice tone="warn">{t(`editor.microphone.${state.fault}`)}</Notice>}
      {(state.is === 'idle' || state.is === 'failed') && (
        <>
          <p className="field-hint">{t('editor.record.hint')}</p>
          <Button kind="primary" icon="record" onClick={start}>
            {t('editor.record.start')}
          </Button>
        </>
      )}
      <p role="status" className="editor-record-state">
        {state.is === 'asking' && t('editor.record.asking')}
        {state.is === 'recording' && t('editor.record.running')}
        {state.is === 'reading' && t('editor.record.reading')}
      </p>
      {state.is === 'recording' && (
        <div className="editor-row">
          <Button kind="danger" icon="stop" onClick={stop} ref={stopButton}>
            {t('editor.record.stop')}
          </Button>
          <Level level={level} seconds={seconds} />
        </div>
      )}
      {state.is === 'done' && (
        <Taken samples={state.samples} part={part} fault={fault} onKeep={onKeep} onDiscard={discard} />
      )}
    </div>
  );
}

function Level({ level, seconds }: { readonly level: number; readonly seconds: number }) {
  const { t, duration } = useWords();
  return (
    <>
      <meter
        className="editor-level"
        aria-label={t('editor.record.level')}
        min={0}
        max={1}
        low={0.35}
        high={0.95}
        optimum={0.7}
        value={level}
      />
      <span className="editor-time">{duration(Math.floor(seconds) * 1000)}</span>
    </>
  );
}

interface TakenProps extends RecordTabProps {
  readonly samples: AudioSamples;
  onDiscard(): void;
}

function Taken({ samples, part, fault, onKeep, onDiscard }: TakenProps) {
  const { t } = useWords();
  const address = useMemo(() => URL.createObjectURL(samples.wav), [samples]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <>
      <Player src={address} label={t('editor.record.taken')} peaks={samples.peaks} />
      {fault && <Notice tone="bad">{fault}</Notice>}
      <SendingBar part={part} />
      <div className="editor-row">
        <Button
          kind="primary"
          icon="check"
          busy={part !== null}
          onClick={() => onKeep(samples.wav)}
          ref={keep}
        >
          {t('editor.record.keep')}
        </Button>
        <Button icon="trash" disabled={part !== null} onClick={onDiscard}>
          {t('editor.record.discard')}
        </Button>
      </div>
    </>
  );
}
