import { expect, it } from 'vitest';
import { shownConfig } from './shown.ts';

it('what the environment sets is fixed, everything else has its default', () => {
  const { network, speech } = shownConfig({ SIP_PORT: ' 5080 ', HOST: '' });
  const named = (name: string) => network.find((each) => each.name === name);
  expect(named('SIP_PORT')).toEqual({
    name: 'SIP_PORT',
    value: '5080',
    fixed: true,
    secret: false,
    source: 'environment',
    locked: 'environment',
  });
  expect(named('HOST')).toEqual({
    name: 'HOST',
    value: '127.0.0.1',
    fixed: false,
    secret: false,
    source: 'default',
    locked: 'machine',
  });
  expect(named('ADVERTISED_ADDRESS')).toMatchObject({ value: null, fixed: false, locked: null });
  expect(speech).toMatchObject([
    { name: 'TTS_COMMAND', value: 'espeak-ng', locked: 'program' },
    { name: 'TTS_URL', value: null, locked: 'security' },
    { name: 'TTS_MODEL', value: 'tts-1' },
    { name: 'TTS_VOICE', value: null },
  ]);
});

it.each([
  ['smtp://dora:hunter2@mail.example.com:587', 'smtp://mail.example.com:587'],
  ['smtps://mail.example.com', 'smtps://mail.example.com'],
  ['smtp://mail.example.com:25/?pass=hunter2', 'smtp://mail.example.com:25'],
])('of %s nothing that may be a secret is shown', (url, value) => {
  const shown = shownConfig({
    SMTP_URL: url,
    SMS_URL: 'https://:hunter2@sms.example/hunter2?key=hunter2',
    TTS_URL: 'https://speech.example/v1/audio/speech?key=hunter2',
    TTS_KEY: 'hunter2',
  });
  expect(shown.mail[0]).toMatchObject({ value, fixed: true, secret: url !== value });
  expect(JSON.stringify(shown)).not.toMatch(/hunter2|dora/);
});
