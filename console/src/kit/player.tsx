import { useEffect, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { IconButton } from './button.tsx';
import { Waveform } from './waveform.tsx';

interface PlayerProps {
  readonly src: string;
  /** The name of the audio. */
  readonly label: string;
  /** The waveform behind the slider. */
  readonly peaks?: readonly number[];
}

/** Only one player plays at a time: a start pauses the previous one. */
let playing: HTMLAudioElement | null = null;

export function Player({ src, label, peaks }: PlayerProps) {
  const { t, duration } = useWords();
  const audio = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState({ on: false, at: 0, length: 0, failed: false });
  const change = (more: Partial<typeof state>): void => setState((now) => ({ ...now, ...more }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sound begins at its beginning
  useEffect(() => setState({ on: false, at: 0, length: 0, failed: false }), [src]);
  const toggle = (): void => {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) return element.pause();
    if (playing !== element) playing?.pause();
    playing = element;
    // Retry after a failure: the service may be back.
    if (state.failed) element.load();
    element.play().catch((error: unknown) => {
      // AbortError: paused before playback began, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) change({ failed: true });
    });
  };
  return (
    <div className="player">
      {/* biome-ignore lint/a11y/useMediaCaption: there are no captions of recordings that users upload */}
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onPlay={() => change({ on: true, failed: false })}
        onPause={() => change({ on: false })}
        onEnded={() => change({ on: false })}
        onTimeUpdate={({ currentTarget }) => change({ at: currentTarget.currentTime })}
        onLoadedMetadata={({ currentTarget }) => change({ length: currentTarget.duration, failed: false })}
        onError={() => change({ failed: true, on: false })}
      />
      <IconButton
        icon={state.on ? 'pause' : 'play'}
        label={t(state.on ? 'kit.pause' : 'kit.play', { name: label })}
        onClick={toggle}
      />
      <div className="player-track">
        {peaks && (
          <Waveform peaks={peaks} progress={state.length > 0 ? state.at / state.length : 0} label={label} />
        )}
        <input
          type="range"
          min={0}
          max={state.length || 1}
          step={0.1}
          value={Math.min(state.at, state.length || 1)}
          aria-label={t('kit.position', { name: label })}
          aria-valuetext={duration(state.at * 1000)}
          onChange={({ target }) => {
            if (audio.current) audio.current.currentTime = target.valueAsNumber;
            change({ at: target.valueAsNumber });
          }}
        />
      </div>
      <span className="player-time">
        {state.failed
          ? t('kit.play.failed')
          : `${duration(state.at * 1000)} / ${duration(state.length * 1000)}`}
      </span>
    </div>
  );
}
