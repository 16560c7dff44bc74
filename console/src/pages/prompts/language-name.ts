/** The name of a language by its tag, in a language; the tag itself where it has none, such as the voice en-us+f3. */
export function languageName(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
