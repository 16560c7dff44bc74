// A telephone to click or type on: a display, twelve keys, and the clock of the call.

import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import type { PacedCall, Speed } from './paced-call.ts';
import type { AudioControls } from './use-call.ts';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const LETTERS: Readonly<Record<string, string>> = {
  '2': 'ABC',
  '3': 'DEF',
  '4': 'GHI',
  '5': 'JKL',
  '6': 'MNO',
  '7': 'PQRS',
  '8': 'TUV',
  '9': 'WXYZ',
};
const SPEEDS: readonly Speed[] = [1, 4, 'instant'];

interface PhoneProps {
  readonly paced: PacedCall | null;
  readonly audio: AudioControls;
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
  readonly onCall: () => void;
  readonly callLabel: string;
  /** The keys come from a script or a record: the keypad is disabled. */
  readonly scripted: boolean;
  /** What the caller hears, or what the call does now. */
  readonly children: ReactNode;
}

export function Phone(props: PhoneProps) {
  const { paced, audio, onCall, callLabel, scripted, children } = props;
  const { t, duration } = useWords();
  const keys = useRef<HTMLDivElement>(null);
  const live = paced !== null && !paced.over;
  const press = (key: string): void => {
    if (!live || scripted) return;
    audio.key(key);
    paced.press(key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS.some((key) => key === event.key)) return;
    event.preventDefault();
    press(event.key);
  };
  const begin = (): void => {
    onCall();
    keys.current?.focus();
  };
  // The same element in every state, so that a keyboard user keeps the focus.
  const hook = !live
    ? ({ kind: 'primary', icon: 'phone', onClick: begin, children: callLabel } as const)
    : scripted
      ? ({ icon: 'forward', onClick: () => paced.finish(), children: t('simulator.replay.end') } as const)
      : ({
          kind: 'danger',
          icon: 'hangup',
          onClick: () => paced.hangUp(),
          children: t('simulator.hangUp'),
        } as const);
  return (
    <section className="simulator-phone" aria-label={t('simulator.phone')}>
      <div className="simulator-display" data-live={live}>
        <div className="simulator-now">{children}</div>
        <p className="simulator-clock">
          <span className="unseen">{t('simulator.clock')} </span>
          {duration(paced?.nowMs ?? 0)}
        </p>
        {audio.faulty && <p className="simulator-faulty">{t('simulator.sound.failed')}</p>}
      </div>
      <Clockwork {...props} live={live} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot have the focus */}
      <div
        ref={keys}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a telephone that has the focus is typed on
        tabIndex={0}
        className="simulator-keys"
        aria-label={t('simulator.phone.hint')}
        onKeyDown={onKeyDown}
      >
        {KEYS.map((key) => (
          <button
            key={key}
            type="button"
            className="simulator-key"
            data-letters={LETTERS[key] ?? ''}
            aria-label={t('simulator.key', { key })}
            aria-disabled={!live || scripted || undefined}
            onClick={() => press(key)}
          >
            {key}
          </button>
        ))}
      </div>
      <div className="simulator-hooks">
        <Button {...hook} />
      </div>
      {!scripted && <p className="simulator-hint">{t('simulator.phone.hint')}</p>}
      {/* biome-ignore lint/a11y/useMediaCaption: the display says in words what is heard */}
      <audio ref={audio.element} preload="auto" data-testid="simulator-audio" />
    </section>
  );
}

function Clockwork({ paced, audio, speed, onSpeed, live }: PhoneProps & { readonly live: boolean }) {
  const { t } = useWords();
  const paused = paced?.paused ?? false;
  return (
    <div className="simulator-clockwork">
      <IconButton
        icon={audio.muted ? 'mute' : 'announcement'}
        label={audio.muted ? t('simulator.unmute') : t('simulator.mute')}
        onClick={() => audio.setMuted(!audio.muted)}
      />
      <IconButton
        icon={paused ? 'play' : 'pause'}
        label={paused ? t('simulator.resume') : t('simulator.pause')}
        disabled={!live}
        onClick={() => paced?.setPaused(!paused)}
      />
      <fieldset className="simulator-speeds">
        <legend className="unseen">{t('simulator.speed')}</legend>
        {SPEEDS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={speed === each}
            aria-label={t(`simulator.speed.${each}`)}
            title={t(`simulator.speed.${each}`)}
            onClick={() => onSpeed(each)}
          >
            {each === 'instant' ? t('simulator.speed.instant.short') : `×${each}`}
          </button>
        ))}
      </fieldset>
      <button
        type="button"
        className="button simulator-skip"
        disabled={!live}
        aria-label={t('simulator.skip')}
        title={t('simulator.skip')}
        onClick={() => paced?.skip()}
      >
        <Icon name="forward" />
        <span>{t('simulator.skip.short')}</span>
      </button>
    </div>
  );
}
