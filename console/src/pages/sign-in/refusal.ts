// Why a sign-in was refused, in the user's language.
import { DialtreeError } from '../../data/client.ts';
import type { Key, Words } from '../../words/words.tsx';

export function refusalOf(error: unknown, t: Words['t'], refused: Key): string {
  if (!(error instanceof DialtreeError)) return t('kit.failed.offline');
  if (error.code === 'rate_limited')
    return t('signIn.wait', { count: Number(error.headers.get('retry-after') ?? 60) });
  return error.code === 'sign_in_refused' || error.code === 'fields_invalid' ? t(refused) : error.message;
}
