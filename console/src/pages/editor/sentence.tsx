// A sentence with controls in it, placed by the catalogue: languages order them differently.
import { Fragment, type ReactNode } from 'react';

export interface Piece {
  /** The name of a slot, or the text between slots. */
  readonly slot: string | null;
  readonly text: string;
}

export function piecesOf(sentence: string): Piece[] {
  return sentence
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('{') ? { slot: part.slice(1, -1), text: part } : { slot: null, text: part },
    );
}

interface SentenceProps {
  readonly text: string;
  readonly slots: Readonly<Record<string, ReactNode>>;
}

export function Sentence({ text, slots }: SentenceProps) {
  return piecesOf(text).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never change places
    <Fragment key={at}>
      {piece.slot === null ? <span>{piece.text}</span> : (slots[piece.slot] ?? piece.text)}
    </Fragment>
  ));
}
