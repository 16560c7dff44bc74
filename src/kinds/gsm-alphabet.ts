// The default alphabet of text messages (3GPP TS 23.038 §6.2.1) and its extension, as octets of one septet each.

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
};
const ESCAPE = 0x1b;

const septets = new Map<string, readonly number[]>();
for (const [code, character] of [...BASIC].entries()) {
  if (code !== ESCAPE) septets.set(character, [code]);
}
for (const [character, code] of Object.entries(EXTENSION)) septets.set(character, [ESCAPE, code]);

/** One septet, or two of which the first is the escape; undefined: not in the alphabet. */
export function septetsOf(character: string): readonly number[] | undefined {
  return septets.get(character);
}

const characters = new Map<string, string>();
for (const [character, codes] of septets) characters.set(codes.join(), character);

/** What a telephone shows; null: an octet that is none of the alphabet. For tests and for receipts. */
export function textOfSeptets(octets: Uint8Array): string | null {
  let text = '';
  for (let at = 0; at < octets.length; at += 1) {
    const code = octets[at] ?? 0;
    const character =
      code === ESCAPE ? characters.get(`${ESCAPE},${octets[++at]}`) : characters.get(String(code));
    if (character === undefined) return null;
    text += character;
  }
  return text;
}
