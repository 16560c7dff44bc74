// What is uploaded is what callers hear: by the next call, and not by the one that is on.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toneWav } from '../support/phone/tone-recording.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'invalid', 'retry', 'timeout');
const [FIRST_HZ, SECOND_HZ] = [1_860, 2_260];

describe('an uploaded recording', () => {
  let bed: PhoneBed;
  let path: string;
  beforeAll(async () => {
    bed = await PhoneBed.open({ recordings });
    const made = await call(bed.pbx.url, 'POST', '/v1/recording', {
      body: recordingForm({ name: 'Prompt' }, toneWav(FIRST_HZ, 30_000)),
    });
    path = made.headers.get('location') ?? '';
    const menu = await bed.api('POST', '/v1/ivr', {
      name: 'Uploaded',
      description: '',
      recording: `recording||${made.json.id}`,
      timeout: 5,
      option: ['1'],
      destination: ['hangup||now'],
      incorrect_count: 0,
      invalid_recording: 'recording||invalid',
      invalid_destination: 'hangup||now',
      timeout_retry_recording: 'recording||retry',
      timeout_recording: 'recording||timeout',
      timeout_destination: 'hangup||now',
      timeout_tries: 0,
    });
    const destination = `ivr||${menu.headers.get('location')?.split('/').at(-1)}`;
    await bed.api('POST', '/v1/number', { number: '700', destination });
  });
  afterAll(() => bed?.close());

  const replace = async (body: FormData): Promise<void> => {
    const replaced = await call(bed.pbx.url, 'PUT', path, { body });
    expect(replaced.status, replaced.text).toBe(200);
  };

  it('is heard by a caller', async () => {
    const caller = await bed.reach('700');
    await caller.hears(FIRST_HZ, { forMs: 200 });
    await caller.hangUp();
  });

  it('goes on in a call that began with it when it is replaced; the next call hears the new one', async () => {
    const before = await bed.reach('700');
    await before.hears(FIRST_HZ, { forMs: 100 });
    await replace(recordingForm({}, toneWav(SECOND_HZ, 3_000)));
    const after = await bed.reach('700');
    await after.hears(SECOND_HZ, { forMs: 200 });
    before.forget();
    await before.hears(FIRST_HZ, { forMs: 100 });
    expect(
      before
        .heard()
        .some((segment) => typeof segment.hz === 'number' && Math.abs(segment.hz - SECOND_HZ) < 30),
    ).toBe(false);
    expect(hz.invalid).not.toBe(SECOND_HZ);
    await Promise.all([before.hangUp(), after.hangUp()]);
  });

  it('that was restored is heard again', async () => {
    expect((await bed.api('POST', `${path}/restore/1`)).status).toBe(200);
    const caller = await bed.reach('700');
    await caller.hears(FIRST_HZ, { forMs: 200 });
    await caller.hangUp();
  });

  it.each(['tone-1000.mp3', 'tone-1000.opus', 'tone-1000.m4a'])(
    'from %s is heard as its tone',
    async (name) => {
      await replace(recordingForm({}, readFileSync(new URL(`../support/sounds/${name}`, import.meta.url))));
      const caller = await bed.reach('700');
      await caller.hears(1_000, { forMs: 200 });
      await caller.hangUp();
    },
  );
});
