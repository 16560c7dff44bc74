// The rows of commands to live calls in the table of routes.ts.
import { clickToCall } from './calls/click-to-call.ts';
import * as live from './calls/live-call.ts';
import * as transfer from './calls/transfer.ts';
import { responses } from './responses.ts';
import type { Route } from './route.ts';
import { EXAMPLES } from './schemas/examples.ts';
import * as liveCall from './schemas/live-call.ts';

const { created, record, written } = responses;

// biome-ignore format: a table is read by its columns
export const CALL_CONTROL_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/call/hangup', scope: 'calls', id: 'hangUpCall', summary: 'Hang up a live call',
    handler: live.hangUpCall, body: liveCall.CALL_ID_FIELDS, example: EXAMPLES.liveCall, responses: [written()] },
  { method: 'POST', path: '/v1/call/transfer', scope: 'calls', id: 'transferCall', summary: 'Send one side of a live call elsewhere',
    handler: transfer.transferCall, body: liveCall.TRANSFER_FIELDS, example: EXAMPLES.transfer, responses: [record('Transferred')] },
  { method: 'POST', path: '/v1/call/transfer/complete', scope: 'calls', id: 'completeTransfer', summary: 'Complete an attended transfer',
    handler: transfer.completeTransfer, body: liveCall.CALL_ID_FIELDS, example: EXAMPLES.liveCall, responses: [written()] },
  { method: 'POST', path: '/v1/call/transfer/cancel', scope: 'calls', id: 'cancelTransfer', summary: 'Cancel an attended transfer',
    handler: transfer.cancelTransfer, body: liveCall.CALL_ID_FIELDS, example: EXAMPLES.liveCall, responses: [written()] },
  { method: 'POST', path: '/v1/call/listen', scope: 'calls', id: 'listenIn',
    summary: 'Ring an agent to listen to a conversation, or to take part',
    handler: live.listenIn, body: liveCall.LISTEN_FIELDS, example: EXAMPLES.listen, responses: [written()] },
  { method: 'POST', path: '/v1/call/add', scope: 'calls', id: 'addParty', summary: 'Ring a third party into a conversation',
    handler: live.addParty, body: liveCall.ADD_FIELDS, example: EXAMPLES.add, responses: [written()] },
  { method: 'POST', path: '/v1/click_to_call', scope: 'calls', id: 'clickToCall', summary: "Ring an agent's phone, then the number",
    handler: clickToCall, body: liveCall.CLICK_FIELDS, example: EXAMPLES.click, headers: ['Idempotency-Key'],
    responses: [created('CallCreated')] },
];
