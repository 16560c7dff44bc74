// Stores the built-in recordings in the account, unless recordings with their names exist.
import connecting from '../../../../examples/recordings/connecting.wav?url';
import invalid from '../../../../examples/recordings/invalid.wav?url';
import again from '../../../../examples/recordings/still-there.wav?url';
import welcome from '../../../../examples/recordings/welcome.wav?url';
import { client } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import { BUILT_IN, type BuiltIn } from './menu-plan.ts';

export const SOUNDS: Readonly<Record<BuiltIn, string>> = { welcome, invalid, again, connecting };

interface Stored {
  readonly id: string;
  readonly name: string;
}

/** Ids by purpose. A second call finds the recordings of the first. */
export async function storeBuiltIn<Which extends BuiltIn>(
  which: readonly Which[],
  stored: readonly Stored[],
): Promise<Record<Which, string>> {
  const asked = await Promise.allSettled(
    which.map(async (one) => {
      const known = stored.find(({ name }) => name === BUILT_IN[one]);
      return [one, known ? known.id : await store(one)] as const;
    }),
  );
  // Also after a failure: a retry finds the stored ones.
  changed('recording');
  const ids = asked.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  return Object.fromEntries(ids) as Record<Which, string>;
}

async function store(which: BuiltIn): Promise<string> {
  const answer = await fetch(SOUNDS[which]);
  if (!answer.ok) throw new Error(`${SOUNDS[which]}: ${answer.status}`);
  const body = new FormData();
  body.append('name', BUILT_IN[which]);
  body.append('file', await answer.blob(), `${which}.wav`);
  const { id } = await client.createRecording({ body });
  return id;
}
