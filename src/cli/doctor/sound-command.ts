// The program of SOUND_COMMAND: there, and kept from fetching what a file names.
import { basename } from 'node:path';
import { type Config, pathEnvironment } from '../../config/config.ts';
import { isInstalled } from '../../recordings/program.ts';
import { type Finding, fail, ok, warn } from '../../service/checks/finding.ts';

const CHECK = 'sound command';

/** Null if SOUND_COMMAND is not set. */
export function checkSoundCommand({ soundCommand }: Pick<Config, 'soundCommand'>): Finding | null {
  if (!soundCommand) return null;
  const { program, args } = soundCommand;
  if (!isInstalled(program, pathEnvironment()))
    return fail(
      CHECK,
      `SOUND_COMMAND: there is no program ${program} in PATH. Install it, or leave the variable out.`,
    );
  const all = [program, ...args];
  if (all.some((part) => /^ffmpeg(\.exe)?$/i.test(basename(part))) && !all.includes('-protocol_whitelist'))
    return warn(
      CHECK,
      'SOUND_COMMAND lets ffmpeg open whatever a file names. Put "-protocol_whitelist file,pipe" before its -i.',
    );
  return ok(CHECK, `${program} converts sound files that are not decoded here`);
}
