// Recordings over the API: sent in every way, heard, drawn, replaced, restored and deleted; and what is refused.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { toneWav } from '../support/phone/tone-recording.ts';
import { recordingForm } from '../support/recording-form.ts';
import { type CallOptions, call, type Json, type Service, startService, TOKEN } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const SPEECH = ['/usr/bin/espeak-ng', '/usr/local/bin/espeak-ng'].some((path) => existsSync(path));
const sound = (name: string): Buffer => readFileSync(new URL(`../support/sounds/${name}`, import.meta.url));

onAnyDatabase((database) => {
  let service: Service;
  let dataDir: string;
  let files: Server;
  let filesUrl: string;
  beforeAll(async () => {
    const env = await database.environment();
    dataDir = env['DATA_DIR'] ?? '';
    service = await startService({ env: { ...env, OUTBOUND_ALLOW: '127.0.0.1' } });
    files = createServer((request, response) => {
      if (request.url === '/deep/tone.wav') response.end(toneWav(700, 300));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    files?.close();
    await service?.remove();
  });

  const ask = (method: string, path: string, body?: unknown, more: CallOptions = {}) =>
    call(service.url, method, path, { ...(body === undefined ? {} : { body }), ...more });
  async function create(body: unknown): Promise<Json> {
    const made = await ask('POST', '/v1/recording', body);
    expect(made.status, made.text).toBe(201);
    return { ...made.json, path: made.headers.get('location') };
  }
  const audio = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}${path}/audio`, {
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    });
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };
  const plain = (type = 'audio/wav', more: Record<string, string> = {}) => ({
    headers: { 'content-type': type, ...more },
  });
  const leftOver = (): string[] =>
    readdirSync(join(dataDir, 'recordings')).filter((name) => name.endsWith('.part'));

  test('a file may be the body itself, with its name and description in the query', async () => {
    const path = '/v1/recording?name=A%20tone&description=For%20a%20test';
    const made = await ask('POST', path, sound('tone-1000.mp3'), plain('audio/mpeg'));
    expect(made.status, made.text).toBe(201);
    const at = made.headers.get('location') ?? '';
    expect((await ask('GET', at)).json).toMatchObject({
      name: 'A tone',
      description: 'For a test',
      source: 'file',
      format: 'MP3, 44100 Hz',
    });
    // Changed: the sound is new, the name stays; the type in the header counts for nothing.
    const changed = await ask('PATCH', at, sound('tone-1000.flac'), plain('Audio/X-Anything; codecs=1'));
    expect(changed.status, changed.text).toBe(200);
    const format = 'FLAC, 16000 Hz, one channel';
    expect((await ask('GET', at)).json).toMatchObject({ name: 'A tone', version: 2, format });
    const replaced = await ask('PUT', `${at}?name=Other`, sound('tone-1000.webm'), plain('audio/webm'));
    expect(replaced.status, replaced.text).toBe(200);
    expect((await ask('GET', at)).json).toMatchObject({
      name: 'Other',
      version: 3,
      format: 'WebM/Opus, one channel',
    });
    expect(leftOver()).toEqual([]);
  });

  test('a file as the body is checked like any other: empty, broken, too large, or where none is taken', async () => {
    expectFailure(await ask('POST', '/v1/recording', Buffer.alloc(0), plain()), 'audio_unsupported');
    expectFailure(await ask('POST', '/v1/recording', Buffer.alloc(5_000), plain()), 'audio_unsupported');
    const refused = await ask('POST', '/v1/recording', sound('tone-1000.m4a'), plain('audio/mp4'));
    expectFailure(refused, 'audio_unsupported');
    expect(refused.json.Message).toContain('"ffmpeg -i recording.m4a -ac 1 recording.wav"');
    expectFailure(await ask('POST', '/v1/recording?name=', toneWav(1_000, 100), plain()), 'query_invalid');
    const tooLarge = Buffer.alloc(25 * 1024 * 1024 + 1);
    expectFailure(await ask('POST', '/v1/recording', tooLarge, plain()), 'body_too_large');
    expectFailure(await ask('POST', '/v1/team', toneWav(1_000, 100), plain()), 'content_type_unsupported');
    expect(leftOver()).toEqual([]);
  });

  test('a name in the body and in the query is refused', async () => {
    const reply = await ask('POST', '/v1/recording?name=one', recordingForm({ name: 'other' }));
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors).toMatchObject([{ Pointer: '/name', Code: 'value_not_allowed' }]);
  });

  test('a repeated key with the same file as the body creates once; with another name it is refused', async () => {
    const key = { 'idempotency-key': 'plain-body' };
    const send = (name: string) =>
      ask('POST', `/v1/recording?name=${name}`, toneWav(1_000, 200), plain('audio/wav', key));
    const [first, again, other] = [await send('a'), await send('a'), await send('b')];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json.id).toBe(first.json.id);
    expect(other.status).toBe(422);
  });

  test('a truncated MP3 file has the warning of a truncated WAV file', async () => {
    for (const bytes of [sound('tone-1000.mp3').subarray(0, 4_300), toneWav(1_000, 500).subarray(0, 6_000)]) {
      const { json } = await ask('POST', '/v1/recording', bytes, plain());
      expect(json).toMatchObject({
        damaged: true,
        warnings: expect.arrayContaining([expect.objectContaining({ code: 'damaged' })]),
      });
    }
  });

  test.each([
    ['WAV', toneWav(1_000, 500), 'WAV, 8000 Hz, one channel, 16 bit', 500],
    ['MP3', sound('tone-1000.mp3'), 'MP3, 44100 Hz', 1_045],
    ['Ogg/Opus', sound('tone-1000.opus'), 'Ogg/Opus, 2 channels', 1_000],
    ['Ogg/Vorbis', sound('tone-1000.ogg'), 'Ogg/Vorbis, 44100 Hz, 2 channels', 1_000],
    ['FLAC', sound('tone-1000.flac'), 'FLAC, 16000 Hz, one channel', 1_000],
    ['WebM/Opus', sound('tone-1000.webm'), 'WebM/Opus, one channel', 1_014],
    ['WebM/Vorbis', sound('tone-1000-vorbis.webm'), 'WebM/Vorbis, 44100 Hz, 2 channels', 1_012],
  ])('a file as %s is created, and told what it is', async (_, bytes, format, durationMs) => {
    const made = await create(recordingForm({ name: 'A tone', description: 'For a test' }, bytes));
    expect(made).toMatchObject({
      Success: true,
      Message: 'Recording created.',
      format,
      duration_ms: durationMs,
    });
    const { json } = await ask('GET', made.path);
    expect(json).toMatchObject({
      id: made.id,
      name: 'A tone',
      description: 'For a test',
      source: 'file',
      version: 1,
    });
    expect(json).toMatchObject({
      format,
      duration_ms: durationMs,
      clipped_samples: 0,
      damaged: false,
      warnings: [],
    });
    expect(json.peak_db).toBeLessThan(0);
    expect(leftOver()).toEqual([]);
  });

  test('a file from a URL is created, with the name it has there', async () => {
    const made = await create({ url: `${filesUrl}/deep/tone.wav` });
    expect((await ask('GET', made.path)).json).toMatchObject({
      name: 'tone',
      source: 'url',
      url: `${filesUrl}/deep/tone.wav`,
      duration_ms: 300,
    });
    expectFailure(await ask('POST', '/v1/recording', { url: `${filesUrl}/none` }), 'url_not_fetched');
  });

  test.each([
    'http://[::1]/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'http://10.0.0.1/',
    'nonsense',
  ])('%s is not fetched', async (url) => {
    expectFailure(await ask('POST', '/v1/recording', { url }), 'url_not_fetched');
  });

  test.skipIf(!SPEECH)('a text is spoken', async () => {
    const made = await create({ text: 'We are closed.\nPlease call again.', voice: 'en', speed: '200' });
    expect(made.duration_ms).toBeGreaterThan(1_000);
    expect((await ask('GET', made.path)).json).toMatchObject({
      name: 'We are closed. Please call again.',
      source: 'text',
      text: 'We are closed.\nPlease call again.',
      voice: 'en',
      speed: 200,
    });
    const unknown = await ask('POST', '/v1/recording', { text: 'Hello', voice: 'xx-none' });
    expectFailure(unknown, 'fields_invalid');
    expect(unknown.json.Errors).toMatchObject([{ Pointer: '/voice', Code: 'value_not_allowed' }]);
  });

  test.each<[string, unknown, string, string]>([
    ['nothing to hear', { name: 'x' }, '/file', 'field_missing'],
    ['a form without a file', recordingForm({ name: 'x' }, null), '/file', 'field_missing'],
    ['a file and a text', recordingForm({ text: 'x' }), '/text', 'value_not_allowed'],
    ['a URL and a text', { url: 'http://x/', text: 'x' }, '/text', 'value_not_allowed'],
    ['a long text', { text: 'x'.repeat(2_001) }, '/text', 'text_too_long'],
    ['a voice that is an option', { text: 'x', voice: '-w/etc/x' }, '/voice', 'text_malformed'],
    ['a voice that is a path', { text: 'x', voice: '../x' }, '/voice', 'text_malformed'],
    ['a speed of 5', { text: 'x', speed: 5 }, '/speed', 'number_out_of_range'],
    ['a name with a line break', recordingForm({ name: 'a\nb' }), '/name', 'text_control_character'],
  ])('%s is refused', async (_, body, pointer, code) => {
    const reply = await ask('POST', '/v1/recording', body);
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors).toContainEqual({ Pointer: pointer, Code: code, Message: expect.any(String) });
    expect(leftOver()).toEqual([]);
  });

  test('names of files are words and never paths (T29)', async () => {
    const names = [
      '../../etc/passwd',
      'C:\\boot\\a.wav',
      'x'.repeat(300),
      'a\u0001b.wav',
      '.wav',
      'ütf €.wav',
    ];
    const shown: string[] = [];
    for (const name of names)
      shown.push(
        (await ask('GET', (await create(recordingForm({}, toneWav(500, 300), name))).path)).json.name,
      );
    expect(shown).toEqual(['passwd', 'a', 'x'.repeat(100), 'a b', '.wav', 'ütf €']);
    expect(
      readdirSync(join(dataDir, 'recordings')).filter((name) => !/^[0-9a-f]{64}\.wav$/.test(name)),
    ).toEqual([]);
  });

  test('flaws of a recording are in the response to its creation and to every read', async () => {
    const made = await create(recordingForm({}, toneWav(1_000, 100, 200)));
    expect(made.Message).toMatch(/^Recording created, with 2 warnings: /);
    expect(made.warnings.map(({ code }: Json) => code)).toEqual(['short', 'quiet']);
    expect((await ask('GET', made.path)).json.warnings).toEqual(made.warnings);
  });

  test('the sound is served whole, in part, and not again', async () => {
    const { path } = await create(recordingForm());
    const whole = await audio(path);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(whole.bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect(whole.bytes.length).toBe(58 + 3_200);
    const part = await audio(path, { range: 'bytes=100-199' });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-199/${whole.bytes.length}`,
    ]);
    expect(part.bytes.equals(whole.bytes.subarray(100, 200))).toBe(true);
    const etag = whole.headers.get('etag') ?? '';
    expect((await audio(path, { 'if-none-match': etag })).status).toBe(304);
    expect((await audio(path, { range: 'bytes=-1', 'if-range': '"old"' })).status).toBe(200);
    expect((await audio(path, { range: 'bytes=999999-' })).status).toBe(416);
    const head = await call(service.url, 'HEAD', `${path}/audio`);
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(whole.bytes.length),
    ]);
  });

  test('the outline has as many points as asked for', async () => {
    const { path } = await create(recordingForm());
    const { json } = await ask('GET', `${path}/waveform?points=10`);
    expect(json.duration_ms).toBe(400);
    expect(json.peaks).toHaveLength(10);
    for (const peak of json.peaks) expect(Math.abs(peak - 0.69)).toBeLessThan(0.05);
    expectFailure(await ask('GET', `${path}/waveform?points=0`), 'query_invalid');
  });

  test('a change keeps what is not sent, and every version can be heard and restored', async () => {
    const { path } = await create(recordingForm({ name: 'First', description: 'kept' }, toneWav(1_000, 300)));
    const first = (await audio(path)).bytes;
    const replaced = await ask('PATCH', path, recordingForm({}, toneWav(2_000, 600)));
    expect(replaced.status, replaced.text).toBe(200);
    expect(replaced.json).toMatchObject({ Message: 'Recording updated to version 2.', duration_ms: 600 });
    expect((await ask('GET', path)).json).toMatchObject({
      name: 'First',
      description: 'kept',
      duration_ms: 600,
    });
    await ask('PUT', path, { name: 'Renamed' });
    expect((await ask('GET', path)).json).toMatchObject({ name: 'Renamed', duration_ms: 600, version: 3 });
    expect(
      (await ask('GET', `${path}/versions`)).json.data.map((one: Json) => [one.version, one.duration_ms]),
    ).toEqual([
      [3, 600],
      [2, 600],
      [1, 300],
    ]);
    const old = await fetch(`${service.url}${path}/audio?version=1`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(Buffer.from(await old.arrayBuffer()).equals(first)).toBe(true);
    const restored = await ask('POST', `${path}/restore/1`);
    expect(restored.json.Message).toBe('Recording restored: version 4 has the content of version 1.');
    expect((await audio(path)).bytes.equals(first)).toBe(true);
    expectFailure(await ask('POST', `${path}/restore/9`), 'record_unknown');
  });

  test('If-Match is held against the version, and nothing is converted in vain', async () => {
    const { path } = await create(recordingForm());
    const stale = { headers: { 'if-match': '"7"' } };
    expectFailure(await ask('PUT', path, recordingForm(), stale), 'version_changed');
    expectFailure(await ask('PUT', '/v1/recording/none', recordingForm()), 'record_unknown');
    expect((await ask('GET', path)).json.version).toBe(1);
  });

  test('one key makes one recording, though every form has another boundary', async () => {
    const once = (form: FormData) =>
      ask('POST', '/v1/recording', form, { headers: { 'idempotency-key': 'one' } });
    const first = await once(recordingForm({ name: 'Once' }));
    const second = await once(recordingForm({ name: 'Once' }));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expectFailure(await once(recordingForm({ name: 'Other' })), 'idempotency_key_reused');
    expect((await ask('GET', '/v1/recordings?q=once')).json.data).toHaveLength(1);
  });

  test('what a menu plays is not deleted, and a deleted one is gone', async () => {
    const { id, path } = await create(recordingForm({ name: 'Needed' }));
    await ask('POST', '/v1/ivr', menu({ recording: `recording||${id}` }));
    const refused = await ask('DELETE', path);
    expectFailure(refused, 'still_referenced');
    expect((await ask('DELETE', `${path}?force=true`)).status).toBe(200);
    expectFailure(await ask('GET', path), 'record_unknown');
    expect((await audio(path)).status).toBe(404);
  });

  test('an upload that is too large is refused, whether it says so or not', async () => {
    const large = recordingForm({}, Buffer.alloc(26 * 1024 * 1024));
    expectFailure(await ask('POST', '/v1/recording', large), 'body_too_large');
    const pieces = async function* () {
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n');
      for (let sent = 0; sent < 26; sent++) yield Buffer.alloc(1024 * 1024);
    };
    const response = await fetch(`${service.url}/v1/recording`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: ReadableStream.from(pieces()),
      duplex: 'half',
    } as RequestInit).catch(() => null);
    // A client that is still sending may see the connection close before it reads the answer.
    if (response) expect(response.status).toBe(413);
    expect(leftOver()).toEqual([]);
    expect((await ask('GET', '/v1/recordings?limit=1')).status).toBe(200);
  });

  test('lists go through all pages, and a search finds names and texts', async () => {
    for (let index = 0; index < 3; index++) await create(recordingForm({ name: `Paged ${index}` }));
    const seen: string[] = [];
    for (let next = '/v1/recordings?q=paged&limit=2'; next !== ''; ) {
      const { json, headers } = await ask('GET', next);
      seen.push(...json.data.map(({ name }: Json) => name));
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(seen).toEqual(['Paged 0', 'Paged 1', 'Paged 2']);
  });
});

test('the recordings of the demonstration show what uploaded ones show', async () => {
  const service = await startService({ env: { DEMO: 'on' } });
  const { json } = await call(service.url, 'GET', '/v1/recordings');
  await service.remove();
  expect(json.data).toHaveLength(4);
  for (const one of json.data)
    expect(one).toMatchObject({
      source: 'file',
      peak_db: -3.1,
      clipped_samples: 0,
      leading_silence_ms: 100,
      damaged: false,
    });
});
