import { expect, it } from 'vitest';
import { type Config, readConfig } from '../../config/config.ts';
import { checkSoundCommand } from './sound-command.ts';

const found = (SOUND_COMMAND: string) => checkSoundCommand(readConfig({ SOUND_COMMAND }) as Config);

it('says nothing where SOUND_COMMAND is not set', () => {
  expect(found('')).toBeNull();
});

it('fails for a program that is not there, and names it', () => {
  expect(found('no-such-program -i {input}')).toMatchObject({
    state: 'fail',
    message: expect.stringContaining('no-such-program'),
  });
});

it('warns of ffmpeg without its list of protocols, also behind another program', () => {
  expect(found('env ffmpeg -i {input} pipe:1')).toMatchObject({
    state: 'warn',
    message: expect.stringContaining('-protocol_whitelist'),
  });
  expect(found('env ffmpeg -protocol_whitelist file,pipe -i {input} pipe:1')?.state).toBe('ok');
  expect(found('cat')?.state).toBe('ok');
});
