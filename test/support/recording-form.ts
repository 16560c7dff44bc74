// Forms as people upload recordings with: a file and fields beside it.
import { toneWav } from './phone/tone-recording.ts';

export function recordingForm(
  fields: Readonly<Record<string, string>> = {},
  file: Uint8Array | null = toneWav(1_060, 400),
  filename = 'tone.wav',
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file) form.set('file', new Blob([new Uint8Array(file)]), filename);
  return form;
}
