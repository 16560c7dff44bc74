// What the service is not able to do is refused, or warned of, when it is asked for: SMS, e-mail, speech.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';

onAnyDatabase((database) => {
  let service: Service;
  let env: Readonly<Record<string, string>>;
  const ask = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body === undefined ? {} : { body });
  const lintCodes = async (): Promise<string[]> =>
    (await ask('GET', '/v1/lint')).json.data.map(({ code }: Json) => code);
  const restart = async (more: Readonly<Record<string, string>>) => {
    await service?.stop();
    service = await startService({ env: { ...env, ...more }, dataDir: env['DATA_DIR'] ?? '' });
  };
  const NOTHING = { SMS_URL: '', TTS_COMMAND: 'off' };
  beforeAll(async () => {
    env = await database.environment();
    await restart(NOTHING);
  });
  afterAll(() => service?.remove());

  test('GET /v1/telephony says what it is able to do', async () => {
    const { json } = await ask('GET', '/v1/telephony');
    expect(json).toMatchObject({ sms: false, email: false, speech: false });
  });

  test.each([
    ['POST', '/v1/sms', { to: '+4915112345678', text: 'Hello' }],
    ['PATCH', '/v1/settings', { sms_templates: true }],
    ['PUT', '/v1/settings', { sms_templates: true }],
  ])('%s %s is refused without an SMS gateway', async (method, path, body) => {
    const refused = await ask(method, path, body);
    expect([refused.status, refused.json.Code]).toEqual([501, 'sms_unavailable']);
    expect(refused.json.Message).toContain('set SMS_URL');
    expect((await ask('GET', '/v1/settings')).json.sms_templates).toBe(false);
    expect((await ask('GET', '/v1/sms')).json.data).toEqual([]);
  });

  test('the faults of an SMS come first', async () => {
    expect((await ask('POST', '/v1/sms', { to: 'x' })).status).toBe(400);
  });

  test('text is not spoken without a program that speaks', async () => {
    const refused = await ask('POST', '/v1/recording', { name: 'x', text: 'Welcome' });
    expect([refused.status, refused.json.Code]).toEqual([501, 'tts_unavailable']);
  });

  test('an SMS template is stored with a warning', async () => {
    const made = await ask('POST', '/v1/sms_template', { name: 'x', text: 'Hello' });
    expect([made.status, made.json.Message]).toEqual([
      201,
      'SMS template created, with one warning: This service has no SMS gateway, so no SMS can be sent: set SMS_URL where it runs.',
    ]);
  });

  test('a voicemail box with an address is stored with a warning', async () => {
    const made = await ask('POST', '/v1/voicemail_box', { name: 'Sales', email: 'sales@example.com' });
    expect([made.status, made.json.Message]).toEqual([
      201,
      'Voicemail box created, with one warning: email: The service has no mail server (SMTP_URL): messages for “Sales” are stored and not mailed.',
    ]);
    const plain = await ask('POST', '/v1/voicemail_box', { name: 'Support' });
    expect(plain.json.Message).toBe('Voicemail box created.');
    expect(await lintCodes()).toContain('email-unavailable');
  });

  test('with a gateway and a mail server nothing is warned of; without them again, the linter finds what they sent', async () => {
    await restart({ SMTP_URL: 'smtp://127.0.0.1:9' });
    const { json } = await ask('GET', '/v1/telephony');
    expect(json).toMatchObject({ sms: true, email: true, speech: true });
    expect((await ask('PATCH', '/v1/settings', { sms_templates: true })).status).toBe(200);
    const template = await ask('POST', '/v1/sms_template', { name: 'x', text: 'Hello' });
    expect(template.json.Message).toBe('SMS template created.');
    const body = menu({ option: ['1'], destination: ['hangup||now'], sms_template: [template.json.id] });
    expect((await ask('POST', '/v1/ivr', body)).json.Message).not.toContain('SMS');
    const able = await lintCodes();
    expect(able.filter((code) => code.endsWith('-unavailable'))).toEqual([]);

    await restart(NOTHING);
    expect(await lintCodes()).toEqual(expect.arrayContaining(['email-unavailable', 'sms-unavailable']));
    const warned = await ask('POST', '/v1/ivr', body);
    expect(warned.json.Message).toContain('sms_template 0: The service has no SMS gateway (SMS_URL)');
    // What was read can be written, also what cannot be turned on now.
    const settings = (await ask('GET', '/v1/settings')).json;
    expect((await ask('PUT', '/v1/settings', { ...settings, ring_seconds: 30 })).status).toBe(200);
    expect((await ask('GET', '/v1/settings')).json).toMatchObject({ sms_templates: true, ring_seconds: 30 });
  });
});
