import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SpeechEngine } from './speech.ts';
import { SpokenTexts, type SpokenTextsParts } from './spoken-texts.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Speaks by writing the text; `hold` waits before it does. */
function bed(more: Partial<SpokenTextsParts> & { readonly hold?: () => Promise<void> } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-spoken-'));
  folders.push(folder);
  const said: string[] = [];
  let made = 0;
  const engine: SpeechEngine = {
    async speak({ text }, path) {
      said.push(text);
      await more.hold?.();
      writeFileSync(path, text);
      return 'spoken';
    },
  };
  // Stands in for the thread: the file gets a name by its content.
  const transcoder = {
    async run(_account: string, job: { readonly path?: string; readonly folder?: string }) {
      const sha256 = String(made++).padStart(64, 'f');
      await rename(job.path ?? '', join(job.folder ?? '', `${sha256}.wav`));
      return { sha256, duration_ms: 1 };
    },
  } as unknown as SpokenTextsParts['transcoder'];
  const failed = (error: unknown): void => {
    throw error;
  };
  return {
    texts: new SpokenTexts({ folder, engine, transcoder, failed, waitMs: 4_000, ...more }),
    folder,
    said,
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
    each.isFile() ? each.name : [],
  );

const text = (words: string) => ({ text: words, voice: 'en', speed: 160 });
const idOf = (outcome: object): string => ('id' in outcome ? String(outcome.id) : '');

test('the same text is spoken once, also when several calls ask at the same time', async () => {
  const { texts, said } = bed();
  const [one, other] = await Promise.all([texts.speak('a', text('Hello')), texts.speak('b', text('Hello'))]);
  expect(one).toEqual(other);
  expect(await texts.speak('a', text('Hello'))).toEqual(one);
  expect(said).toEqual(['Hello']);
  expect(String(await texts.read(idOf(one)))).toBe('Hello');
  expect(await texts.speak('a', { ...text('Hello'), voice: 'hi' })).not.toEqual(one);
});

test('a call waits no longer than its time, and the next one finds what came late', async () => {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { texts, said } = bed({ hold: () => held, waitMs: 50 });
  // It is held until the call has its answer.
  expect(await texts.speak('a', text('Slow'))).toEqual({ failure: 'late' });
  go();
  await expect.poll(async () => 'id' in (await texts.speak('a', text('Slow')))).toBe(true);
  expect(said).toEqual(['Slow']);
});

/** What is spoken is held until it is let go. */
function held() {
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { hold: () => gone, go: () => go() };
}

test('a text waits its turn while others of the account are spoken', async () => {
  const { hold, go } = held();
  const { texts } = bed({ hold, shares: { total: 2, perAccount: 1 } });
  const asked = ['one', 'two', 'three'].map((words) => texts.speak('a', text(words)));
  go();
  const sounds = await Promise.all((await Promise.all(asked)).map((each) => texts.read(idOf(each))));
  expect(sounds.map(String)).toEqual(['one', 'two', 'three']);
});

test('texts beyond those that may wait are refused at once, and a wait has its end', async () => {
  const { texts } = bed({
    hold: () => new Promise(() => undefined),
    shares: { total: 2, perAccount: 1 },
    waiting: { total: 2, perAccount: 1 },
    waitMs: 200,
  });
  const first = texts.speak('a', text('one'));
  const second = texts.speak('a', text('two'));
  expect(await texts.speak('a', text('three'))).toEqual({ failure: 'busy' });
  expect(await first).toEqual({ failure: 'late' });
  expect(await second).toHaveProperty('failure');
});

test('an engine that fails, or throws, is a failure and no more', async () => {
  const errors: unknown[] = [];
  const failing = (engine: SpeechEngine) => bed({ engine, failed: (error) => void errors.push(error) }).texts;
  const broken = failing({ speak: async () => 'failed' });
  expect(await broken.speak('a', text('x'))).toEqual({ failure: 'failed' });
  const throwing = failing({
    speak: async () => {
      throw new Error('disk');
    },
  });
  expect(await throwing.speak('a', text('x'))).toEqual({ failure: 'failed' });
  expect(errors).toHaveLength(1);
});

test('the folder stays within its bound, and keeps what was played last', async () => {
  const { texts, folder } = bed({ maxBytes: 25 });
  for (const each of ['1111111111', '2222222222', '3333333333', '4444444444']) {
    await texts.speak('a', text(each));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect.poll(() => readdirSync(folder).length).toBe(2);
  expect(String(await texts.read(idOf(await texts.speak('a', text('4444444444')))))).toBe('4444444444');
});

test('what was made of something secret is gone once it was read, and is never found again', async () => {
  const { texts, folder } = bed();
  const one = await texts.speak('a', { ...text('PIN 1234'), secret: true });
  expect(String(await texts.read(idOf(one)))).toBe('PIN 1234');
  expect(filesIn(folder)).toEqual([]);
  expect(await texts.read(idOf(one))).toBeNull();
  expect(await texts.speak('a', { ...text('PIN 1234'), secret: true })).not.toEqual(one);
});

test('what was made of something secret is on no disk once it is made, also when it comes late', async () => {
  const { hold, go } = held();
  const { texts, folder, said } = bed({ hold, waitMs: 50 });
  expect(await texts.speak('a', { ...text('PIN 1234'), secret: true })).toEqual({ failure: 'late' });
  go();
  await expect.poll(() => readdirSync(join(folder, 'secret'))).toEqual([]);
  expect(filesIn(folder)).toEqual([]);
  expect('id' in (await texts.speak('a', { ...text('PIN 1234'), secret: true }))).toBe(true);
  expect(filesIn(folder), 'before it is played').toEqual([]);
  expect(said).toHaveLength(2);
});

test('what was made of something secret and is not played is forgotten after a while', async () => {
  const { texts } = bed({ secretMs: 20 });
  const one = await texts.speak('a', { ...text('PIN 1234'), secret: true });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await texts.read(idOf(one))).toBeNull();
});

test('a secret that a killed process left is removed at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-spoken-'));
  folders.push(folder);
  mkdirSync(join(folder, 'secret', 'one'), { recursive: true });
  writeFileSync(join(folder, 'secret', 'one', 'left.wav'), 'PIN 1234');
  bed({ folder });
  expect(filesIn(folder)).toEqual([]);
});
