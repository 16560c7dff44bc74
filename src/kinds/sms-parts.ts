// A text as the parts that a telephone network carries: 160 septets, or 153 each when there are several; with a character
// outside the GSM alphabet 70 units of UTF-16, or 67 each. Telephones put the parts together again by a header.
import { septetsOf } from './gsm-alphabet.ts';

export type SmsCoding = 'gsm7' | 'ucs2';

export interface SmsParts {
  readonly coding: SmsCoding;
  /** At least one; an empty text is one empty part. */
  readonly parts: readonly string[];
}

/** The header counts up to 255 parts; each part is paid for, so fewer are allowed. */
export const MAX_PARTS = 10;

const ROOM = { gsm7: { alone: 160, joined: 153 }, ucs2: { alone: 70, joined: 67 } } as const;

export function splitSms(text: string): SmsParts {
  const sizes: number[] = [];
  for (const character of text) {
    const septets = septetsOf(character);
    if (!septets) return { coding: 'ucs2', parts: cut(text, graphemesOf(text), ROOM.ucs2) };
    sizes.push(septets.length);
  }
  const units = [...text].map((character, index) => ({ text: character, size: sizes[index] ?? 1 }));
  return { coding: 'gsm7', parts: cut(text, units, ROOM.gsm7) };
}

interface Unit {
  readonly text: string;
  readonly size: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a reader sees as one character stays in one part, unless it is longer than a part by itself. */
function graphemesOf(text: string): Unit[] {
  const units: Unit[] = [];
  for (const { segment } of segmenter.segment(text)) {
    if (segment.length <= ROOM.ucs2.joined) units.push({ text: segment, size: segment.length });
    // Code points, so that at least no surrogate pair is torn.
    else for (const character of segment) units.push({ text: character, size: character.length });
  }
  return units;
}

function cut(text: string, units: readonly Unit[], room: { alone: number; joined: number }): string[] {
  const whole = units.reduce((sum, { size }) => sum + size, 0);
  if (whole <= room.alone) return [text];
  const parts: string[] = [];
  let part = '';
  let size = 0;
  for (const unit of units) {
    if (size + unit.size > room.joined) {
      parts.push(part);
      part = '';
      size = 0;
    }
    part += unit.text;
    size += unit.size;
  }
  parts.push(part);
  return parts;
}
