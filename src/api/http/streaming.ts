// Responses that are sent piece by piece: files, exports, events. A client that reads slowly slows down the source
// instead of filling memory; one that closes the connection stops it.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Headers, Lifecycle, StreamedBody } from './handler.ts';

export interface StreamedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: StreamedBody;
  /** Node leaves out the body of an answer to HEAD; the source is not even asked. */
  readonly headOnly: boolean;
  readonly hold: HoldPiece;
}

/** Claims memory for a piece that waits for its client; null: there is none left. */
export type HoldPiece = (piece: Buffer | string) => (() => void) | null;

/** A client that does not take a piece for so long is disconnected, also one that reads a byte now and then. */
export const PIECE_MS = 60_000;

/** Rejects when the source fails; the connection is then destroyed, so that a partial response is not taken for a whole one. */
export async function sendStreamed(
  raw: ServerResponse,
  { status, headers, body, headOnly, hold }: StreamedResponse,
  lifecycle: Lifecycle,
): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  // The connection itself, too: an answer whose turn in a pipeline has not come hears nothing of its end.
  const { socket } = raw.req;
  raw.once('close', stop);
  socket.once('close', stop);
  // A client that closed before the listeners were added emits no further event.
  if (raw.destroyed || socket.destroyed) stop();
  if (body.endless) lifecycle.endless.add(stop);
  try {
    raw.writeHead(status, {
      ...headers,
      ...(body.length === undefined ? {} : { 'content-length': body.length }),
    });
    if (!headOnly) await pump(raw, body, hold, stopping);
    raw.end();
  } catch (error) {
    const gone = raw.destroyed;
    raw.destroy();
    if (!gone) throw error;
  } finally {
    lifecycle.endless.delete(stop);
    raw.off('close', stop);
    socket.off('close', stop);
    body.over?.();
  }
}

async function pump(
  raw: ServerResponse,
  body: StreamedBody,
  hold: HoldPiece,
  stopping: AbortController,
): Promise<void> {
  const { signal } = stopping;
  // A client that waits for its first event needs the headers at once.
  raw.flushHeaders();
  for await (const piece of body.pieces(signal)) {
    if (signal.aborted) return;
    if (!raw.write(piece)) await drained(raw, hold(piece), stopping);
    if (signal.aborted) return;
  }
}

/** Breaks the response off when there is no memory for what waits, or the client does not take it in time. */
async function drained(
  raw: ServerResponse,
  release: (() => void) | null,
  stopping: AbortController,
): Promise<void> {
  const breakOff = (): void => {
    raw.destroy();
    stopping.abort();
  };
  if (release === null) return breakOff();
  const late = setTimeout(breakOff, PIECE_MS);
  await once(raw, 'drain', { signal: stopping.signal }).catch(() => undefined);
  clearTimeout(late);
  return release();
}
