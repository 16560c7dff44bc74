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
}

/** Rejects when the source fails; the connection is then destroyed, so that a partial response is not taken for a whole one. */
export async function sendStreamed(
  raw: ServerResponse,
  { status, headers, body, headOnly }: StreamedResponse,
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
    if (!headOnly) await pump(raw, body, stopping.signal);
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

async function pump(raw: ServerResponse, body: StreamedBody, signal: AbortSignal): Promise<void> {
  // A client that waits for its first event needs the headers at once.
  raw.flushHeaders();
  for await (const piece of body.pieces(signal)) {
    if (signal.aborted) return;
    if (!raw.write(piece)) await once(raw, 'drain', { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}
