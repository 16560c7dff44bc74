// Makes the built-in sounds anew: the music, by adding up decaying sines; places in line, digits and confirmations, spoken by
// Debian's espeak-ng. Run by hand: `npx tsx bin/make-sounds.js`. Everything ends as 8 kHz µ-law in assets/prompts.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { encodeUlaw } from '../src/media/audio/g711.ts';
import { writeWav } from '../src/media/audio/wav.ts';

const RATE_HZ = 8_000;
const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Confirmations of star codes (src/calls/features). */
const STAR_CODE_PROMPTS = {
  'star-code-failed': 'That was not possible.',
  'agent-paused': 'You are paused.',
  'agent-resumed': 'You are available.',
  'signed-in': 'You are signed in.',
  'signed-out': 'You are signed out.',
  activated: 'Activated.',
  deactivated: 'Deactivated.',
};

/** At a conference room (src/flow/nodes/room.ts). */
const ROOM_PROMPTS = {
  'room-pin': 'Please enter the pin of the conference, then press the hash key.',
  'room-pin-wrong': 'That is not right. Please enter the pin, then press the hash key.',
  'room-name': 'After the tone, please say your name, then press the hash key.',
};

/** Asking to be called back (src/flow/callback.ts). */
const CALLBACK_PROMPTS = {
  'callback-offer': 'You can keep your place in line and be called back. To be called back, press',
  'callback-number': 'We will call you back at this number.',
  'callback-confirm':
    'If that is right, press one. For another number, press two. To go on waiting, press star.',
  'callback-entry': 'Please enter the number to call back, then press the hash key.',
  'callback-saved': 'Thank you. You keep your place in line, and we will call you back. Good bye.',
  'callback-refused': 'You cannot be called back at that number. Please go on waiting.',
  'key-star': 'star',
  'key-hash': 'hash',
};

save('music-on-hold', levelled(music(), 1_300));
save('position-1', spoken('You are next in line.'));
for (const [index, number] of NUMBERS.entries()) {
  save(`position-${index + 2}`, spoken(`You are number ${number} in line.`));
}
save('wait-1', spoken('The estimated wait is about one minute.'));
const MINUTES = { 15: 'fifteen', 20: 'twenty', 30: 'thirty' };
for (const [index, number] of NUMBERS.entries()) MINUTES[index + 2] = number;
for (const [minutes, number] of Object.entries(MINUTES))
  save(`wait-${minutes}`, spoken(`The estimated wait is about ${number} minutes.`));
save('wait-many', spoken('The estimated wait is more than half an hour.'));
save('position-many', spoken('More than ten callers are before you.'));
for (const [digit, word] of ['zero', 'one', ...NUMBERS.slice(0, 8)].entries())
  save(`digit-${digit}`, spoken(word));
for (const [name, text] of Object.entries({ ...STAR_CODE_PROMPTS, ...ROOM_PROMPTS, ...CALLBACK_PROMPTS }))
  save(name, spoken(text));

/** Four chords, each note of them plucked softly in turn. What still sounds at the end sounds on at the beginning. */
function music() {
  const beatS = 0.35;
  // C, A minor, F and G, as notes above A4 = 440 Hz, in the middle of what a telephone carries.
  const chords = [
    [-9, -2, 3, 7, 10, 3],
    [-12, -5, 0, 3, 7, 0],
    [-4, 0, 3, 8, 12, 3],
    [-2, 2, 5, 10, 14, 5],
  ];
  const samples = new Float64Array(Math.round(chords.length * 6 * beatS * RATE_HZ));
  for (const [bar, notes] of chords.entries()) {
    for (const [beat, note] of notes.entries()) {
      pluck(samples, (bar * 6 + beat) * beatS, 440 * 2 ** (note / 12), beat === 0 ? 1 : 0.7);
    }
  }
  return samples;
}

function pluck(samples, atS, hz, loudness) {
  const length = 3 * RATE_HZ;
  for (let index = 0; index < length; index += 1) {
    const t = index / RATE_HZ;
    const envelope = Math.min(1, t / 0.03) * Math.exp(-t / 0.9) * Math.min(1, (length - index) / 800);
    const wave = [1, 0.25, 0.08].reduce(
      (sum, part, n) => sum + part * Math.sin(2 * Math.PI * hz * (n + 1) * t),
      0,
    );
    const place = (Math.round(atS * RATE_HZ) + index) % samples.length;
    samples[place] += loudness * envelope * wave;
  }
}

function spoken(text) {
  const wav = execFileSync('espeak-ng', ['-v', 'en-us', '-s', '165', '--stdout', text], {
    maxBuffer: 1 << 24,
  });
  // It streams, so the sizes in its header say nothing: 44 bytes, then 16-bit mono.
  const rateHz = wav.readUInt32LE(24);
  const pcm = Float64Array.from({ length: (wav.length - 44) >> 1 }, (_, index) =>
    wav.readInt16LE(44 + 2 * index),
  );
  return levelled(trimmed(resampled(pcm, rateHz)), 2_200);
}

/** Windowed sinc: what lies above 3.6 kHz would come back as noise. */
function resampled(samples, rateHz) {
  const cutoff = 3_600 / rateHz;
  const half = 64;
  return Float64Array.from({ length: Math.floor((samples.length * RATE_HZ) / rateHz) }, (_, index) => {
    const centre = (index * rateHz) / RATE_HZ;
    let sum = 0;
    for (let at = Math.ceil(centre - half); at <= centre + half; at += 1) {
      const x = at - centre;
      const sinc = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x);
      sum += (samples[at] ?? 0) * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / half));
    }
    return sum;
  });
}

/** Without the silence around it, but for a moment. */
function trimmed(samples) {
  const loud = (sample) => Math.abs(sample) > 150;
  const margin = RATE_HZ / 20;
  return samples.slice(Math.max(0, samples.findIndex(loud) - margin), samples.findLastIndex(loud) + margin);
}

function levelled(samples, rms) {
  const was = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  return samples.map((sample) => (sample * rms) / was);
}

function save(name, samples) {
  const peak = Math.round(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
  if (peak > 30_000) throw new Error(`${name} would be clipped: its peak is ${peak}`);
  const audio = Buffer.from(Uint8Array.from(samples, (sample) => encodeUlaw(Math.round(sample))));
  writeFileSync(new URL(`../assets/prompts/${name}.wav`, import.meta.url), writeWav(audio));
  process.stdout.write(`${name}: ${(samples.length / RATE_HZ).toFixed(2)} s, peak ${peak}\n`);
}
