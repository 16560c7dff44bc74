import { expect, it } from 'vitest';
import type { WorkerEvent } from '../commands/commands.ts';
import { Conferences } from './conferences.ts';
import { LoadedAudio } from './loaded-audio.ts';
import type { Ticked } from './stream-context.ts';

it('a conference that failed is closed all the same, and its recording ends', () => {
  const ticked = new Set<Ticked>();
  const events: WorkerEvent[] = [];
  const conferences = new Conferences({
    audio: new LoadedAudio(),
    stream: () => undefined,
    everyFrame: (item) => {
      ticked.add(item);
      return () => ticked.delete(item);
    },
    emit: (event) => events.push(event),
  });
  conferences.execute({ do: 'open', conference: 7 }, 0);
  const limits = { maxMs: 60_000, silenceMs: null };
  conferences.execute({ do: 'record', conference: 7, number: 1, limits }, 0);
  for (const item of ticked) item.isBroken = true;
  conferences.execute({ do: 'close', conference: 7 }, 20);
  expect([ticked.size, conferences.isEmpty]).toEqual([0, true]);
  expect(events.map(([kind]) => kind)).toContain('record-ended');
});
