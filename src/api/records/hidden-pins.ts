// The PINs that who asks may not see, wherever records have them: in rooms, and in the tests of menus.
import { seesPins } from '../../domain/roles.ts';
import { readData } from '../../domain/row.ts';
import { type Pins, pinsIn, pinsOf } from '../../domain/withheld-pins.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';

export interface HiddenPins {
  readonly pins: Pins;
}

/** Null if who asks may see them. Those of the draft are hidden, too. */
export async function hiddenFrom(
  { account, user, directory }: Pick<ApiRequest, 'account' | 'user' | 'directory'>,
  { storage }: Pick<ApiContext, 'storage'>,
): Promise<HiddenPins | null> {
  if (seesPins(user?.role ?? null)) return null;
  const { rooms } = await directory();
  const drafted = (await storage.listDraft({ accountId: account.id })).flatMap(({ kind, json }) =>
    kind === 'room' && json !== null ? [readData('room', json)] : [],
  );
  const all = [...[...rooms.values()].map(({ data }) => data), ...drafted];
  return { pins: pinsIn(all.flatMap(pinsOf)) };
}
