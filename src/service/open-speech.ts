// Speech: the engine that the configuration names, and the texts of calls that it speaks.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { CallSpeech } from '../calls/speech.ts';
import { type Config, programEnvironment } from '../config.ts';
import { SPEECH_WAIT_MS } from '../flow/turn.ts';
import { httpSpeech } from '../recordings/http-speech.ts';
import { espeak, noSpeech, type SpeechEngine } from '../recordings/speech.ts';
import { SpokenTexts } from '../recordings/spoken-texts.ts';
import { Transcoder } from '../recordings/transcoder.ts';
import type { FetchSafely } from '../safe-fetch/safe-fetch.ts';
import type { Resources } from './resources.ts';

/** Words per minute. */
const SPEED = 160;

export function speechEngine({ tts, ttsCommand }: Config, fetchSafely: FetchSafely): SpeechEngine {
  if (tts) return httpSpeech(tts, fetchSafely);
  return ttsCommand === undefined ? noSpeech : espeak(ttsCommand, programEnvironment());
}

export function openSpokenTexts(
  config: Config,
  fetchSafely: FetchSafely,
  logger: Logger,
  resources: Resources,
): SpokenTexts {
  return new SpokenTexts({
    folder: join(config.dataDir, 'speech'),
    engine: speechEngine(config, fetchSafely),
    // Its threads start with the first text.
    transcoder: resources.add(new Transcoder(), (opened) => opened.close()),
    waitMs: SPEECH_WAIT_MS,
    failed: (err) => logger.warn({ err }, 'text of a call not spoken'),
  });
}

export function callSpeech(texts: SpokenTexts): CallSpeech {
  return {
    async speak({ accountId, text, language, secret }) {
      const spoken = await texts.speak(accountId, { text, voice: language, speed: SPEED, secret });
      return 'id' in spoken ? { sound: { kind: 'speech', id: spoken.id } } : spoken;
    },
  };
}
