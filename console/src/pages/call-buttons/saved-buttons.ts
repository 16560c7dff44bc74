// The call buttons of the account, a setting.
import type { Settings } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';

export type CallButton = Settings['call_buttons'][number];

/** On the list of now: a colleague may have changed it since the page was opened. */
export async function changeButtons(change: (now: readonly CallButton[]) => CallButton[]): Promise<void> {
  const { call_buttons } = await client.getSettings();
  await client.patchSettings({ body: { call_buttons: change(call_buttons) } });
}
