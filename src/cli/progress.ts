// How far a long command is: one line that is written over on a terminal, a line for each stage elsewhere.
import type { Progress } from '../backup/backup.ts';

const EVERY_MS = 200;

export function showProgress(): { readonly progress: Progress; end(): void } {
  const { stderr } = process;
  let lastMs = 0;
  let lastStage = '';
  const clear = (): void => void (stderr.isTTY && stderr.write('\r\x1b[K'));
  return {
    progress(stage, done, of) {
      const nowMs = Date.now();
      if (stage === lastStage && nowMs - lastMs < EVERY_MS) return;
      const isNew = stage !== lastStage;
      [lastMs, lastStage] = [nowMs, stage];
      if (stderr.isTTY) stderr.write(`\r\x1b[K${stage}: ${done}${of === null ? '' : ` of ${of}`}`);
      else if (isNew && !stage.startsWith('table ')) stderr.write(`${stage}\n`);
    },
    end: clear,
  };
}

/** `12.3 MB`. */
export function size(bytes: number): string {
  const mega = bytes / 1e6;
  return mega < 1000 ? `${mega.toFixed(1)} MB` : `${(mega / 1000).toFixed(2)} GB`;
}
