// The same bytes as the service's: a kind that it decodes and a browser converted would lose nothing, but the other way round is refused.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { convertFile } from '../../../../src/recordings/convert/convert.ts';
import { isDecodedByService } from './sound-kind.ts';

const folder = fileURLToPath(new URL('../../../../test/support/sounds/', import.meta.url));

it.each(readdirSync(folder))('%s is sent as it is where the service decodes it', async (name) => {
  const refused = 'refused' in (await convertFile(join(folder, name)));
  expect(isDecodedByService(readFileSync(join(folder, name)))).toBe(!refused);
});

it.each([
  '',
  'RIFF\0\0\0\0AVI ',
  '\0\0\0\x20ftypM4A ',
  '#!AMR\n',
  'FORM\0\0\0\0AIFF',
  '\xff\xf1\x50\x80',
  'no sound',
])('%j is for the browser to convert', (head) => {
  expect(isDecodedByService(Buffer.from(head, 'latin1'))).toBe(false);
});

it('WAV of any byte order and size, and MP3, are the service’s', () => {
  for (const head of [
    'RIFF\0\0\0\0WAVE',
    'RIFX\0\0\0\0WAVE',
    'RF64\xff\xff\xff\xffWAVE',
    '\xff\xfb\x90\x64',
    'ID3\x04',
  ])
    expect([head, isDecodedByService(Buffer.from(head, 'latin1'))]).toEqual([head, true]);
});
