// Sound files that are known by their first bytes and have no decoder here: refused by name, without reading more of them.
import { notDecoded, type Unplayable } from './unplayable.ts';

/** What MP4 and its kin begin with, behind four bytes of size; old QuickTime has no "ftyp". */
const MP4_BOXES: readonly string[] = ['ftyp', 'styp', 'moov', 'mdat', 'wide', 'free', 'skip'];

interface Kind {
  /** Texts of latin1 characters, each at its place. */
  readonly marks: readonly (readonly [at: number, text: string])[];
  readonly name: string;
  readonly extension: string;
}

const KINDS: readonly Kind[] = [
  ...MP4_BOXES.map((box) => ({
    marks: [[4, box]] as const,
    name: 'an M4A or MP4 file (AAC, Apple Lossless)',
    extension: 'm4a',
  })),
  { marks: [[0, '#!AMR']], name: 'an AMR file', extension: 'amr' },
  {
    marks: [
      [0, 'FORM'],
      [8, 'AIF'],
    ],
    name: 'an AIFF file',
    extension: 'aiff',
  },
  { marks: [[0, 'caff']], name: 'a CAF file', extension: 'caf' },
  { marks: [[0, '.snd']], name: 'an AU file', extension: 'au' },
  { marks: [[0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11']], name: 'a WMA file', extension: 'wma' },
  {
    marks: [
      [0, 'RIFF'],
      [8, 'AVI '],
    ],
    name: 'an AVI file',
    extension: 'avi',
  },
  { marks: [[0, '\x0b\x77']], name: 'an AC-3 file', extension: 'ac3' },
  { marks: [[0, 'MAC ']], name: "a file of Monkey's Audio", extension: 'ape' },
  { marks: [[0, 'wvpk']], name: 'a WavPack file', extension: 'wv' },
];

/** Null if not known. */
export function undecoded(head: Buffer): Unplayable | null {
  const text = head.toString('latin1');
  const kind = KINDS.find(({ marks }) => marks.every(([at, mark]) => text.startsWith(mark, at)));
  return kind ? notDecoded(`This is ${kind.name}`, kind.extension) : null;
}
