import { expect, test } from 'vitest';
import { readSmsUrl } from './sms-url.ts';

test('an SMSC is read with its user, its password and its ports', () => {
  expect(readSmsUrl('smpp://dial%40tree:p%3Aw@smsc.example.com')).toEqual({
    protocol: 'smpp',
    host: 'smsc.example.com',
    port: 2775,
    tls: false,
    systemId: 'dial@tree',
    password: 'p:w',
    systemType: '',
    window: 10,
    idTag: 0x1400,
  });
  expect(readSmsUrl('smpps://u:p@[::1]:3551?window=3&id_tag=off&system_type=cp')).toMatchObject({
    host: '::1',
    port: 3551,
    tls: true,
    window: 3,
    idTag: 0,
    systemType: 'cp',
  });
  expect(readSmsUrl('smpps://u:p@h')).toMatchObject({ port: 3550 });
});

test('a gateway over HTTP keeps its secret out of its address', () => {
  expect(readSmsUrl('https://:s3cret@sms.example.com/send?x=1')).toEqual({
    protocol: 'http',
    url: 'https://sms.example.com/send?x=1',
    secret: 's3cret',
  });
  expect(readSmsUrl('http://127.0.0.1:8081/')).toMatchObject({ secret: '' });
});

test.each([
  'nonsense',
  'ftp://x',
  'smpp://',
  'smpp://u:p@h?window=0',
  'smpp://u:p@h?window=1e3',
  'smpp://u:p@h?id_tag=0x0204',
  'smpp://u:longer-than-8@h',
  `smpp://${'u'.repeat(16)}:p@h`,
  'smpp://%zz:p@h',
])('%s is refused', (text) => {
  expect(readSmsUrl(text)).toBeNull();
});
