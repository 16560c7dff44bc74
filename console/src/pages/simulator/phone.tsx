// A telephone to click, or to type on: a display that says what is heard, twelve keys, and the clock of the call.

import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../../words/words.tsx';
import type { CallSession, Speed } from './session.ts';
import type { Hearing } from './use-call.ts';

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
  readonly session: CallSession | null;
  readonly hearing: Hearing;
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
  readonly onCall: () => void;
  /** What the button that begins says. */
  readonly callLabel: string;
  /** The caller's part is written: the keys are not for pressing. */
  readonly told: boolean;
  /** What is heard or happens right now. */
  readonly children: ReactNode;
}

export function Phone(props: PhoneProps) {
  const { session, hearing, onCall, callLabel, told, children } = props;
  const { t, duration } = useWords();
  const keys = useRef<HTMLDivElement>(null);
  const live = session !== null && !session.over;
  const press = (key: string): void => {
    if (!live || told) return;
    hearing.key(key);
    session.press(key);
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
  // One button throughout: whoever pressed it by keyboard keeps the focus.
  const hook = !live
    ? ({ kind: 'primary', icon: 'phone', onClick: begin, children: callLabel } as const)
    : told
      ? ({ icon: 'forward', onClick: () => session.finish(), children: t('simulator.replay.end') } as const)
      : ({
          kind: 'danger',
          icon: 'hangup',
          onClick: () => session.hangUp(),
          children: t('simulator.hangUp'),
        } as const);
  return (
    <section className="simulator-phone" aria-label={t('simulator.phone')}>
      <div className="simulator-display" data-live={live}>
        <div className="simulator-now">{children}</div>
        <p className="simulator-clock">
          <span className="unseen">{t('simulator.clock')} </span>
          {duration(session?.nowMs ?? 0)}
        </p>
        {hearing.faulty && <p className="simulator-faulty">{t('simulator.sound.failed')}</p>}
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
            aria-disabled={!live || told || undefined}
            onClick={() => press(key)}
          >
            {key}
          </button>
        ))}
      </div>
      <div className="simulator-hooks">
        <Button {...hook} />
      </div>
      {!told && <p className="simulator-hint">{t('simulator.phone.hint')}</p>}
      {/* biome-ignore lint/a11y/useMediaCaption: the display says in words what is heard */}
      <audio ref={hearing.audio} preload="auto" data-testid="simulator-audio" />
    </section>
  );
}

function Clockwork({ session, hearing, speed, onSpeed, live }: PhoneProps & { readonly live: boolean }) {
  const { t } = useWords();
  const paused = session?.paused ?? false;
  return (
    <div className="simulator-clockwork">
      <IconButton
        icon={hearing.muted ? 'mute' : 'announcement'}
        label={hearing.muted ? t('simulator.unmute') : t('simulator.mute')}
        onClick={() => hearing.setMuted(!hearing.muted)}
      />
      <IconButton
        icon={paused ? 'play' : 'pause'}
        label={paused ? t('simulator.resume') : t('simulator.pause')}
        disabled={!live}
        onClick={() => session?.setPaused(!paused)}
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
        onClick={() => session?.skip()}
      >
        <Icon name="forward" />
        <span>{t('simulator.skip.short')}</span>
      </button>
    </div>
  );
}
