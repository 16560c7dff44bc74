// Makes the built-in sounds anew: the music, by adding up decaying sines; places in the queue, digits and confirmations, spoken by
// Debian's espeak-ng. Run by hand: `npx tsx bin/make-sounds.js [folder]`; with a folder, such as hi or menu, only what lies in it.
// Everything ends as 8 kHz µ-law in assets/prompts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGE_CHOICE, PROMPT_TEXTS } from '../console/src/pages/prompts/texts.ts';
import { BUILT_IN_PROMPTS } from '../src/domain/built-in-prompts.ts';
import { encodeUlaw } from '../src/media/audio/g711.ts';
import { writeWav } from '../src/media/audio/wav.ts';
import { HINDI_PROMPTS } from './hindi-prompts.js';

const RATE_HZ = 8_000;
/** Recorded otherwise. */
const NOT_SPOKEN = ['apology', 'voicemail-greeting', 'message-saved'];
const FOLDER = process.argv[2];
const VOICES = { en: ['en-us', '165'], hi: ['hi', '150'] };

make('music-on-hold', () => levelled(music(), 1_300));
make('please-wait', waitTone);
for (const [name, text] of Object.entries(BUILT_IN_PROMPTS)) if (!NOT_SPOKEN.includes(name)) say(name, text);
for (const [name, text] of Object.entries(HINDI_PROMPTS)) say(`hi/${name}`, text, 'hi');
for (const [name, texts] of Object.entries(PROMPT_TEXTS))
  for (const [language, { text }] of Object.entries(texts)) say(`menu/${language}/${name}`, text, language);
make('menu/languages', () => {
  const pause = new Float64Array(RATE_HZ / 4);
  const { en, hi } = LANGUAGE_CHOICE.text;
  return Float64Array.from([...spoken(en, 'en'), ...pause, ...spoken(hi, 'hi')]);
});

function say(name, text, language = 'en') {
  make(name, () => spoken(text, language));
}

function make(name, sound) {
  if (FOLDER === undefined || name.startsWith(`${FOLDER}/`)) save(name, sound());
}

/** While a request waits for its answer: two soft notes in two seconds, looped. */
function waitTone() {
  const samples = new Float64Array(2 * RATE_HZ);
  for (const [atS, hz] of [
    [0, 587],
    [0.2, 784],
  ])
    for (let index = 0; index < RATE_HZ / 5; index += 1) {
      const t = index / RATE_HZ;
      const envelope = Math.min(1, t / 0.02, (0.2 - t) / 0.05);
      samples[Math.round(atS * RATE_HZ) + index] += 2_600 * envelope * Math.sin(2 * Math.PI * hz * t);
    }
  return samples;
}

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

function spoken(text, language) {
  const [voice, speed] = VOICES[language];
  const wav = execFileSync('espeak-ng', ['-v', voice, '-s', speed, '--stdout', text], {
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
  const path = fileURLToPath(new URL(`../assets/prompts/${name}.wav`, import.meta.url));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, writeWav(audio));
  process.stdout.write(`${name}: ${(samples.length / RATE_HZ).toFixed(2)} s, peak ${peak}\n`);
}
