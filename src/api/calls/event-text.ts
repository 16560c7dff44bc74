// Events of calls as text of a stream of server-sent events.
import type { PublishedEvent } from '../../calls/events/call-events.ts';

const written = new WeakMap<PublishedEvent, string>();

/** JSON has no line breaks of its own, so one line holds it whatever strangers have sent. Written once for all followers. */
export function eventText(event: PublishedEvent, suffix: string): string {
  const known = written.get(event);
  if (known !== undefined) return known;
  const { id, type, atMs, data } = event;
  const timestamp = new Date(atMs).toISOString();
  // As a webhook gets it; `at` and the members of `data` at the top are the former shape (docs/live-calls.md).
  const body = { id, type, timestamp, data, at: timestamp, ...data };
  const text = `id: ${id}${suffix}\nevent: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
  written.set(event, text);
  return text;
}
