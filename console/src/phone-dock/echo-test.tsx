// What one says comes back a second later, by the chosen microphone and loudspeaker: nothing leaves the browser.
import { useEffect, useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Notice } from '../kit/states.tsx';
import {
  type MicrophoneFault,
  microphoneFaultOf,
  microphoneMissing,
  openMicrophone,
  stopTracks,
} from '../phone/devices.ts';
import { type Level, levelOf } from '../phone/level.ts';
import { Levels } from '../phone/meters.tsx';
import { Speaker } from '../phone/speaker.ts';
import { useWords } from '../words/words.tsx';

const DELAY_SECONDS = 1;

interface Echo {
  readonly said: Level;
  readonly heard: Level;
  stop(): void;
}

export function EchoTest() {
  const { t } = useWords();
  const [isOn, setOn] = useState(false);
  const [fault, setFault] = useState<MicrophoneFault | null>(null);
  const echo = useRef<Echo | null>(null);
  useEffect(() => {
    if (!isOn) return;
    let isHere = true;
    startEcho().then(
      (started) => {
        if (isHere) echo.current = started;
        else started.stop();
      },
      (error: unknown) => {
        setFault(microphoneFaultOf(error));
        setOn(false);
      },
    );
    return () => {
      isHere = false;
      echo.current?.stop();
      echo.current = null;
    };
  }, [isOn]);
  const toggle = (): void => {
    const missing = microphoneMissing();
    setFault(missing);
    if (missing === null) setOn(!isOn);
  };
  return (
    <div className="dock-echo">
      <Button aria-pressed={isOn} onClick={toggle}>
        {t(isOn ? 'dock.echo.stop' : 'dock.echo')}
      </Button>
      {fault !== null && <Notice tone="bad">{t(`phone.fault.${fault}`)}</Notice>}
      <p role="status">{isOn ? t('dock.echo.speak') : ''}</p>
      {isOn && (
        <div className="phone-meters">
          <Levels
            heard={t('dock.echo.heard')}
            read={() => echo.current && { said: echo.current.said.read(), heard: echo.current.heard.read() }}
          />
        </div>
      )}
    </div>
  );
}

async function startEcho(): Promise<Echo> {
  const microphone = await openMicrophone();
  const context = new AudioContext();
  const delay = new DelayNode(context, { maxDelayTime: DELAY_SECONDS, delayTime: DELAY_SECONDS });
  const later = context.createMediaStreamDestination();
  context.createMediaStreamSource(microphone).connect(delay).connect(later);
  const speaker = new Speaker();
  speaker.play(later.stream);
  const levels = { said: levelOf(microphone), heard: levelOf(later.stream) };
  return {
    ...levels,
    stop() {
      speaker.close();
      levels.said.close();
      levels.heard.close();
      stopTracks(microphone);
      void context.close();
    },
  };
}
