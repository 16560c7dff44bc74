// The rows of commands to live calls in the table of routes.ts.
import { clickToCall } from './calls/click-to-call.ts';
import { getIceServers } from './calls/ice-servers.ts';
import * as live from './calls/live-call.ts';
import * as phoneSession from './calls/phone-session.ts';
import { placeCall } from './calls/place-call.ts';
import * as transfer from './calls/transfer.ts';
import { PAGE_QUERY } from './http/page.ts';
import { responses } from './responses.ts';
import type { Route } from './route.ts';
import { EXAMPLES } from './schemas/examples.ts';
import * as liveCall from './schemas/live-call.ts';
import { BUTTON_SESSION_FIELDS, PHONE_SESSION_FIELDS } from './schemas/phone-session.ts';

const { created, list, record, written } = responses;

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
  { method: 'POST', path: '/v1/call', scope: 'calls', id: 'placeCall', summary: 'Call a number and put whoever answers into a destination',
    handler: placeCall, body: liveCall.PLACE_FIELDS, example: EXAMPLES.place, headers: ['Idempotency-Key'],
    responses: [created('CallCreated')] },
  { method: 'POST', path: '/v1/click_to_call', scope: 'calls', id: 'clickToCall', summary: "Ring an agent's phone, then the number",
    handler: clickToCall, body: liveCall.CLICK_FIELDS, example: EXAMPLES.click, headers: ['Idempotency-Key'],
    responses: [created('CallCreated')] },
  { method: 'GET', path: '/v1/ice_servers', scope: 'calls', id: 'getIceServers', summary: 'STUN and TURN servers for a browser phone',
    handler: getIceServers, responses: [record('IceServers')] },
  { method: 'POST', path: '/v1/phone_session', scope: 'calls', id: 'createPhoneSession', summary: 'Make a web page a phone for some minutes',
    handler: phoneSession.createPhoneSession, body: PHONE_SESSION_FIELDS, example: EXAMPLES.phoneSession, responses: [created('PhoneSessionMade')] },
  { method: 'GET', path: '/v1/phone_sessions', scope: 'read', id: 'listPhoneSessions', summary: 'List phone sessions of this node',
    handler: phoneSession.listPhoneSessions, query: PAGE_QUERY, responses: [list('PhoneSession')] },
  { method: 'DELETE', path: '/v1/phone_session/{id}', scope: 'calls', id: 'deletePhoneSession', summary: 'End a phone session',
    handler: phoneSession.deletePhoneSession, responses: [written()] },
  { method: 'POST', path: '/v1/call_button/{key}/session', open: true, cors: true, id: 'createButtonSession',
    summary: 'Make a phone session for a visitor of a web page', handler: phoneSession.createButtonSession, body: BUTTON_SESSION_FIELDS,
    example: EXAMPLES.buttonSession, responses: [created('PhoneSessionMade')] },
];
