// A prompt uploaded at one node is played and served by the others.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { postgresMissing } from '../support/postgres.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call as ask, type Json } from '../support/service.ts';
import { Cluster } from './support/cluster.ts';
import { report, sleep } from './support/report.ts';

const { hz, recordings } = tones(400, 'prompt', 'fresh');

describe.skipIf(postgresMissing())('recordings of two nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      recordings,
      menus: { main: { timeout: 60, option: ['1'], destination: ['hangup||hangup'] } },
      numbers: { '100': 'ivr||main' },
    });
  });
  afterAll(() => cluster?.close());

  async function upload(at: number): Promise<Json> {
    const { json, status, text } = await ask(cluster.node(at).url, 'POST', '/v1/recording', {
      body: recordingForm({ name: 'Fresh' }, toneWav(hz.fresh, 2_000)),
    });
    expect(status, text).toBe(201);
    return json;
  }

  /** From the caller's INVITE until the tone is heard. */
  async function hearsFresh(at: number): Promise<number> {
    const phone = await cluster.phone(at);
    const call = await (await phone.call('100')).answered();
    const answeredMs = performance.now();
    await call.hears(hz.fresh, { forMs: 80, withinMs: 30_000 });
    const heardMs = performance.now() - answeredMs;
    await call.hangUp();
    return heardMs;
  }

  it('a recording uploaded at A is heard by a caller at B, and its sound is served there', async () => {
    const { id } = await upload(0);
    await cluster.node(0).api('PATCH', '/v1/ivr/main', { recording: `recording||${id}` });
    // Calls at B see the change within a second, on a machine that is not too busy.
    await sleep(3_000);
    const heardMs = await hearsFresh(1);
    report(`prompt uploaded at A: heard at B ${Math.round(heardMs)} ms after the answer`);
    const audio = await cluster.node(1).api('GET', `/v1/recording/${id}/audio`);
    expect(audio.status).toBe(200);
    expect((await cluster.node(1).api('GET', `/v1/recording/${id}/waveform?points=4`)).status).toBe(200);
  });

  it('a damaged or deleted file of the cache is fetched again', async () => {
    const folder = join(cluster.dataDir(1), 'recordings');
    const { id } = await upload(0);
    const sha256 = (await cluster.node(1).api('GET', `/v1/recording/${id}`)).json.sha256 as string;
    expect((await cluster.node(1).api('GET', `/v1/recording/${id}/audio`)).status).toBe(200);
    const file = join(folder, `${sha256}.wav`);
    const audio = (): Promise<Json> => cluster.node(1).api('GET', `/v1/recording/${id}/audio`);
    const whole = (await audio()).text;
    for (const damage of [() => rmSync(file), () => writeFileSync(file, 'RIFF and nothing else')]) {
      damage();
      expect((await audio()).text).toBe(whole);
    }
  });
});
