// The sound of a recording as a whole, over the pieces that the database stores.
import { createHash } from 'node:crypto';
import type { PromptStorage } from './prompts.ts';

/** Bytes of a piece before base64: far below what a statement may take. */
const PIECE_BYTES = 192 * 1024;
const PIECES_AT_ONCE = 8;
/** More than the longest recording has. */
const MAX_BYTES = 64 * 1024 * 1024;

export const hashOfSound = (wav: Buffer): string => createHash('sha256').update(wav).digest('hex');

/** Before any record refers to it. */
export async function storePrompt(
  storage: Pick<PromptStorage, 'beginPrompt' | 'savePromptPiece' | 'finishPrompt'>,
  sha256: string,
  wav: Buffer,
): Promise<void> {
  const { isWhole } = await storage.beginPrompt({ sha256, bytes: wav.length });
  if (isWhole) return;
  for (let piece = 0; piece * PIECE_BYTES < wav.length; piece++) {
    const content = wav.toString('base64', piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
    await storage.savePromptPiece({ sha256, piece, content });
  }
  await storage.finishPrompt({ sha256 });
}

/** Null if it is not stored as a whole, or is not what its hash says. */
export async function loadPrompt(
  storage: Pick<PromptStorage, 'readPrompt'>,
  sha256: string,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  for (let bytes = 0; bytes <= MAX_BYTES; ) {
    const read = await storage.readPrompt({ sha256, from: pieces.length, limit: PIECES_AT_ONCE });
    for (const content of read) {
      const piece = Buffer.from(content, 'base64');
      bytes += piece.length;
      pieces.push(piece);
    }
    if (read.length < PIECES_AT_ONCE) break;
  }
  const wav = Buffer.concat(pieces);
  return hashOfSound(wav) === sha256 ? wav : null;
}
