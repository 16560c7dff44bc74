// The stream of the live state, made in the page in place of the service's: what would need nodes that fail, or hundreds of calls.
import type { Page } from 'playwright-core';
import type { LiveAgent, LiveCall, LiveState } from '../../../client/operations.ts';

/** Opens a page of the console with the snapshot; what follows is sent by `sendLive`. */
export async function openWithLive(
  page: Page,
  url: string,
  path: string,
  state: Partial<LiveState>,
): Promise<void> {
  const at = new Date().toISOString();
  const empty: LiveState = { at, telephones: true, calls: [], agents: [], trunks: [], queues: [] };
  await page.addInitScript(`(() => {
    const text = (event, data) => new TextEncoder().encode('event: ' + event + '\\ndata: ' + JSON.stringify(data) + '\\n\\n');
    const open = new Set();
    window.sendLive = (event, data) => { for (const one of open) one.enqueue(text(event, data)); };
    const stream = () => new ReadableStream({ start(controller) {
      open.add(controller);
      controller.enqueue(text('snapshot', ${JSON.stringify({ ...empty, ...state })}));
    } });
    const ask = window.fetch;
    window.fetch = (input, options) => String(input.url ?? input).includes('/v1/live_state/events')
      ? Promise.resolve(new Response(stream(), { headers: { 'content-type': 'text/event-stream' } }))
      : ask(input, options);
  })()`);
  await page.goto(`${url}/?live#${path}`);
}

export const sendLive = async (page: Page, event: string, data: object): Promise<void> => {
  await page.evaluate(`window.sendLive(${JSON.stringify(event)}, ${JSON.stringify(data)})`);
};

export const liveAgent = (eid: string, state: LiveAgent['state'], since: string): LiveAgent => ({
  eid,
  state,
  since,
  paused: null,
  signed_out: [],
  phones: { registered: 1, reachable: 1, none_since: null },
});

/** One that waits, unless it is answered. */
export const liveCall = (id: string, department: string, more: Partial<LiveCall> = {}): LiveCall => ({
  id,
  call_id: id,
  sip_call_id: '',
  direction: 'inbound',
  caller: `+4930${id}`,
  caller_name: '',
  dialled: '100',
  entry: 'ivr||main',
  started_at: new Date().toISOString(),
  state: 'queue',
  node: `department||${department}`,
  agent: null,
  department,
  waiting_since: new Date().toISOString(),
  waited_ms: null,
  answered_at: null,
  variables: {},
  ringing: [],
  consultation: null,
  consults_for: null,
  node_id: 'node-1',
  ...more,
});
