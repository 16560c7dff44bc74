import { expect, test } from 'vitest';
import { readSipAddress } from './sip-uri.ts';

test.each([
  [
    'sip:desk@pbx.example.com',
    { user: 'desk', host: 'pbx.example.com', port: 0, transport: 'udp', isSecure: false },
  ],
  [
    'SIP:PBX.example.com:5070',
    { user: '', host: 'pbx.example.com', port: 5070, transport: 'udp', isSecure: false },
  ],
  ['sip:a@h;transport=TCP', { user: 'a', host: 'h', port: 0, transport: 'tcp', isSecure: false }],
  ['sips:{order}@h:5071', { user: '{order}', host: 'h', port: 5071, transport: 'tls', isSecure: true }],
  [
    'sip:a@[2001:db8::1]:5070',
    { user: 'a', host: '2001:db8::1', port: 5070, transport: 'udp', isSecure: false },
  ],
  [
    'sip:a@10.0.0.1;transport=tls',
    { user: 'a', host: '10.0.0.1', port: 0, transport: 'tls', isSecure: false },
  ],
])('%s is read', (uri, read) => {
  expect(readSipAddress(uri)).toEqual(read);
});

test.each([
  'desk@pbx.example.com',
  'tel:+4930123',
  'sip:',
  'sip:a@',
  'sip:a@{host}',
  'sip:a@h.{domain}',
  'sip:a@h:99999',
  'sip:a@h@evil.example',
  'sip:a@h;transport=ws',
  'sips:a@h;transport=udp',
  'sip:a@h;maddr=10.0.0.1',
  'sip:a@h?Route=sip:evil',
  'sip:a b@h',
  'sip:a@h\r\nX: y',
  'sip:<a>@h',
])('%s is no address', (uri) => {
  expect(readSipAddress(uri)).toBeNull();
});
