// The shipped prompts of menus as recordings of the account: stored once, found again by their names.
import { DEFAULT_SETTINGS } from '../../../../src/domain/account.ts';
import { promptRecordingId, shippedFor } from '../../../../src/domain/prompt-language.ts';
import { useAsk } from '../../data/ask.ts';
import { client, DialtreeError } from '../../data/client.ts';
import { changed } from '../../data/records.ts';
import type { IvrDraft } from '../editor/draft.ts';
import { LANGUAGE_CHOICE, type MenuPrompt, PROMPT_TEXTS } from './texts.ts';

const SOUNDS = import.meta.glob<string>('../../../../assets/prompts/menu/**/*.wav', {
  query: '?url',
  import: 'default',
  eager: true,
});

export interface StoredName {
  readonly id: string;
  readonly name: string;
}

/** `languages`: the one that speaks both. */
export type ShippedPrompt = MenuPrompt | 'languages';

interface Shipped {
  readonly name: string;
  readonly text: string;
  readonly url: string;
}

/** In English where it is not shipped in the language. */
export function shippedPrompt(which: ShippedPrompt, language: string): Shipped {
  const folder = '../../../../assets/prompts/menu';
  if (which === 'languages') {
    const { name, text } = LANGUAGE_CHOICE;
    return { name, text: `${text.en} ${text.hi}`, url: SOUNDS[`${folder}/languages.wav`] ?? '' };
  }
  const spoken = shippedFor(language) ?? 'en';
  return { ...PROMPT_TEXTS[which][spoken], url: SOUNDS[`${folder}/${spoken}/${which}.wav`] ?? '' };
}

/** The language that callers of the account hear. */
export function usePromptLanguage(): string {
  const { value } = useAsk((signal) => client.getSettings({ signal }), []);
  return value?.language ?? DEFAULT_SETTINGS.language;
}

/** The account's own recording of a menu's prompt in a language (prompts.tsx). */
export const menuPromptId = (language: string, which: ShippedPrompt): string =>
  promptRecordingId(language, `menu-${which}`);

/** The reference of a prompt: the account's own, or the shipped one, whose recording a second call finds. */
export async function storePrompt(
  which: ShippedPrompt,
  language: string,
  stored: readonly StoredName[],
): Promise<{ readonly reference: string; readonly isNew: boolean }> {
  const own = menuPromptId(language, which);
  if (stored.some(({ id }) => id === own)) return { reference: `recording||${own}`, isNew: false };
  const { name, text, url } = shippedPrompt(which, language);
  const known = stored.find((one) => one.name === name);
  if (known) return { reference: `recording||${known.id}`, isNew: false };
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const body = new FormData();
  body.append('name', name);
  body.append('description', text);
  body.append('file', await answer.blob(), `${which}.wav`);
  const { id } = await client.createRecording({ body });
  return { reference: `recording||${id}`, isNew: true };
}

/** What a menu has where nothing is chosen. */
export const DEFAULT_PROMPTS = {
  recording: 'greeting',
  invalid_recording: 'invalid',
  timeout_retry_recording: 'again',
  timeout_recording: 'connecting',
} as const satisfies Partial<Record<keyof IvrDraft, MenuPrompt>>;
type DefaultField = keyof typeof DEFAULT_PROMPTS;
const DEFAULT_FIELDS = Object.keys(DEFAULT_PROMPTS) as readonly DefaultField[];

/** Wrong keys and silence lead where the first key does: no caller is lost. */
export const defaultWay = ({ options }: Pick<IvrDraft, 'options'>): string =>
  options.find(({ destination }) => destination !== '')?.destination ?? '';

/** Fills what is not chosen with the built-in prompts, which are stored where the account has none of them. */
export async function withBuiltIn(
  draft: IvrDraft,
  language: string,
  recordings: readonly StoredName[],
): Promise<IvrDraft> {
  const open = DEFAULT_FIELDS.filter((field) => draft[field] === '');
  const filled: { [field in DefaultField]?: string } = {};
  let isStored = false;
  try {
    for (const field of open) {
      const { reference, isNew } = await storePrompt(DEFAULT_PROMPTS[field], language, recordings);
      filled[field] = reference;
      isStored ||= isNew;
    }
  } finally {
    if (isStored) changed('recording');
  }
  const way = defaultWay(draft);
  return {
    ...draft,
    ...filled,
    invalid_destination: draft.invalid_destination || way,
    timeout_destination: draft.timeout_destination || way,
  };
}

/** Faults of fields that have defaults only follow from those that are left: they are not shown. */
export function withoutDefaultFaults(error: unknown): unknown {
  if (!(error instanceof DialtreeError)) return error;
  const filled = [...DEFAULT_FIELDS, 'invalid_destination', 'timeout_destination'].map(
    (field) => `/${field}`,
  );
  const own = error.errors.filter(({ Pointer }) => !filled.includes(Pointer));
  if (own.length === 0) return error;
  return new DialtreeError(error.status, {
    Message: error.message,
    Code: error.code,
    RequestId: error.requestId,
    Errors: own,
  });
}
