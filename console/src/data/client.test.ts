import { expect, it } from 'vitest';
import { eventParser, type ServerEvent } from './client.ts';

it('reads server-sent events however the pieces were cut', () => {
  const text = ': hello\n\nid: 1\nevent: call.ended\ndata: {"a":\ndata: 1}\n\r\ndata:x\r\n\r\nid: 3\n\n';
  for (let size = 1; size <= text.length; size += 1) {
    const events: ServerEvent[] = [];
    const feed = eventParser((event) => events.push(event));
    for (let at = 0; at < text.length; at += size) feed(text.slice(at, at + size));
    expect(events).toEqual([
      { id: '1', event: 'call.ended', data: '{"a":\n1}' },
      { id: '', event: 'message', data: 'x' },
    ]);
  }
});
