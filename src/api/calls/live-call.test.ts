import { expect, it } from 'vitest';
import type { CallControl } from '../../calls/control/call-control.ts';
import { newId } from '../../domain/id.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { followCalls } from './live-call.ts';

async function askedAfter(header: string | undefined): Promise<unknown> {
  const asked: unknown[] = [];
  const control = {
    follow: async (_: string, after: string | null) => {
      asked.push(after);
      return 'all-full';
    },
  } as unknown as CallControl;
  const request = { account: { id: 'acme' }, headers: { 'last-event-id': header } } as unknown as ApiRequest;
  await followCalls(request, { callControl: () => control } as unknown as ApiContext);
  return asked[0];
}

it('follows on after an id of an event, with or without its node', async () => {
  const id = newId(Date.now());
  expect(await askedAfter(id)).toBe(id);
  expect(await askedAfter(`${id}.node-1`)).toBe(`${id}.node-1`);
});

it.each(['', '7', 'x'.repeat(300), `${newId(1)}.`, `${newId(1)}.${'n'.repeat(41)}`, `${newId(1)}\n`])(
  'takes any other Last-Event-ID (%j) as none: other nodes are asked with it',
  async (text) => {
    expect(await askedAfter(text)).toBeNull();
  },
);

it('begins with a snapshot without one', async () => {
  expect(await askedAfter(undefined)).toBeNull();
});
