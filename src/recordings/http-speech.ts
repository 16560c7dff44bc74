// Speech by an HTTP service that speaks the /v1/audio/speech convention (OpenAI and what imitates it): JSON in, a sound file out. The
// address is the operator's (TTS_URL); it is asked by the rules of safe-fetch.
import { writeFile } from 'node:fs/promises';
import type { FetchFault, FetchSafely } from '../safe-fetch/safe-fetch.ts';
import { MAX_UPLOAD_BYTES } from './recordings.ts';
import { SPEECH_MS, type SpeechEngine, type Spoken } from './speech.ts';

export interface HttpSpeechOptions {
  readonly url: string;
  /** Sent as a bearer token; absent: none. */
  readonly key?: string | undefined;
  readonly model: string;
  /** Instead of the voice of a text, which is one of espeak-ng; absent: that one. */
  readonly voice?: string | undefined;
  readonly timeoutMs?: number;
}

/** Words per minute that the convention calls 1. */
const USUAL_SPEED = 160;

const FAULTS: Readonly<Partial<Record<FetchFault, Spoken>>> = {
  too_large: 'too_long',
  timeout: 'failed',
  aborted: 'failed',
};

export function httpSpeech(options: HttpSpeechOptions, fetchSafely: FetchSafely): SpeechEngine {
  const { url, key, model, voice: own, timeoutMs = SPEECH_MS } = options;
  return {
    async speak({ text, voice, speed }, path) {
      const fetched = await fetchSafely(url, {
        method: 'POST',
        headers: {
          accept: 'audio/wav',
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Dialtree-Speech/1',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({
          model,
          input: text,
          voice: own ?? voice,
          response_format: 'wav',
          speed: Math.min(Math.max(speed / USUAL_SPEED, 0.25), 4),
        }),
        maxBytes: MAX_UPLOAD_BYTES,
        timeoutMs,
      });
      if (!fetched.ok) return FAULTS[fetched.fault] ?? 'unavailable';
      if (fetched.status !== 200 || fetched.body.length === 0) return 'failed';
      await writeFile(path, fetched.body, { mode: 0o600, flag: 'wx' });
      return 'spoken';
    },
  };
}
