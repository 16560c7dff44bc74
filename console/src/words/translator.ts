// The translation of the service's own sentences into the user's language. Null: English, as the service writes.
type Translate = (text: string) => string | null;

let current: Translate | null = null;

export const translator = (): Translate | null => current;

export function setTranslator(next: Translate | null): void {
  current = next;
}

/** A sentence of the service; as it is where no translation is known. */
export const translated = (text: string): string => current?.(text) ?? text;
