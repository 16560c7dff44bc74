import type { Words } from '../../words/words.tsx';

/** The caller's name and number, or "withheld". */
export function callerText(
  { caller, caller_name: name }: { readonly caller: string | null; readonly caller_name: string | null },
  { t }: Pick<Words, 't'>,
): string {
  if (caller === null) return name || t('calls.withheld');
  return name && name !== caller ? `${name} (${caller})` : caller;
}
