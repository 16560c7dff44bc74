// The rows of collect, request, stream, switch, message and SIP addresses in the table of routes.ts.
import { KINDS } from '../domain/kinds.ts';
import type { OperationId } from '../domain/roles.ts';
import { TESTS_QUERY } from './calls/test-gate.ts';
import { PAGE_QUERY } from './http/page.ts';
import type { Collection } from './records/collection.ts';
import { COLLECTIONS } from './records/collections.ts';
import { listingVersions, restoring } from './records/versions.ts';
import { responses } from './responses.ts';
import { collection, type Route } from './route.ts';
import { EXAMPLES } from './schemas/examples.ts';
import { SIP_ADDRESS_FIELDS } from './schemas/sip-address.ts';
import { STREAM_FIELDS } from './schemas/stream.ts';
import { COLLECT_FIELDS, MESSAGE_FIELDS, REQUEST_FIELDS, SWITCH_FIELDS } from './schemas/thinking.ts';

const { list, written } = responses;

type ThinkingKind = 'collect' | 'request' | 'stream' | 'switch' | 'message' | 'sip_address';

/** Former versions, as menus have them. */
function versions<K extends ThinkingKind>(kind: K, schema: string, ids: [OperationId, OperationId]): Route[] {
  const of = COLLECTIONS[kind] as unknown as Collection<K>;
  return [
    {
      method: 'GET',
      path: `/v1/${kind}/{id}/versions`,
      scope: 'read',
      id: ids[0],
      summary: `List the versions of a ${KINDS[kind].noun}, newest first`,
      handler: listingVersions(of),
      query: PAGE_QUERY,
      responses: [list(schema)],
    },
    {
      method: 'POST',
      path: `/v1/${kind}/{id}/restore/{version}`,
      scope: 'write',
      id: ids[1],
      summary: 'Make a former version the newest',
      handler: restoring(of),
      query: TESTS_QUERY,
      headers: ['If-Match', 'Prefer'],
      responses: [written('Done', schema)],
    },
  ];
}

// biome-ignore format: a table is read by its columns
export const THINKING_ROUTES: readonly Route[] = [
  ...collection('collect', {
    schema: 'Collect', body: COLLECT_FIELDS, example: EXAMPLES.collect,
    list: { id: 'listCollects', summary: 'List what asks for digits, in pages' },
    create: { id: 'createCollect', summary: 'Create a collect: it asks callers for digits' },
    read: { id: 'getCollect', summary: 'Read a collect' },
    replace: { id: 'putCollect', summary: 'Replace a collect; the former version is kept' },
    delete: { id: 'deleteCollect', summary: 'Delete a collect that nothing points to' },
  }),
  ...versions('collect', 'Collect', ['listCollectVersions', 'restoreCollect']),
  ...collection('request', {
    schema: 'Request', body: REQUEST_FIELDS, example: EXAMPLES.request,
    list: { id: 'listRequests', summary: 'List requests to your own systems, in pages' },
    create: { id: 'createRequest', summary: 'Create a request: calls ask your own system' },
    read: { id: 'getRequest', summary: 'Read a request' },
    replace: { id: 'putRequest', summary: 'Replace a request; the former version is kept' },
    delete: { id: 'deleteRequest', summary: 'Delete a request that nothing points to' },
  }),
  ...versions('request', 'Request', ['listRequestVersions', 'restoreRequest']),
  ...collection('stream', {
    schema: 'Stream', body: STREAM_FIELDS, example: EXAMPLES.stream,
    list: { id: 'listStreams', summary: 'List streams to voice bots, in pages' },
    create: { id: 'createStream', summary: 'Create a stream: callers talk with a voice bot' },
    read: { id: 'getStream', summary: 'Read a stream' },
    replace: { id: 'putStream', summary: 'Replace a stream; the former version is kept' },
    delete: { id: 'deleteStream', summary: 'Delete a stream that nothing points to' },
  }),
  ...versions('stream', 'Stream', ['listStreamVersions', 'restoreStream']),
  ...collection('switch', {
    schema: 'Switch', body: SWITCH_FIELDS, example: EXAMPLES.switch,
    list: { id: 'listSwitches', summary: 'List switches in pages' },
    create: { id: 'createSwitch', summary: 'Create a switch: it decides by variables of the call' },
    read: { id: 'getSwitch', summary: 'Read a switch' },
    replace: { id: 'putSwitch', summary: 'Replace a switch; the former version is kept' },
    delete: { id: 'deleteSwitch', summary: 'Delete a switch that nothing points to' },
  }),
  ...versions('switch', 'Switch', ['listSwitchVersions', 'restoreSwitch']),
  ...collection('message', {
    schema: 'Message', body: MESSAGE_FIELDS, example: EXAMPLES.message,
    list: { id: 'listMessages', summary: 'List messages in pages' },
    create: { id: 'createMessage', summary: 'Create a message: a call sends a text and goes on' },
    read: { id: 'getMessage', summary: 'Read a message' },
    replace: { id: 'putMessage', summary: 'Replace a message; the former version is kept' },
    delete: { id: 'deleteMessage', summary: 'Delete a message that nothing points to' },
  }),
  ...versions('message', 'Message', ['listMessageVersions', 'restoreMessage']),
  ...collection('sip_address', {
    schema: 'SipAddress', body: SIP_ADDRESS_FIELDS, example: EXAMPLES.sipAddress,
    list: { id: 'listSipAddresses', summary: 'List SIP addresses in pages' },
    create: { id: 'createSipAddress', summary: 'Create a SIP address: calls ring it elsewhere' },
    read: { id: 'getSipAddress', summary: 'Read a SIP address' },
    replace: { id: 'putSipAddress', summary: 'Replace a SIP address; the former version is kept' },
    delete: { id: 'deleteSipAddress', summary: 'Delete a SIP address that nothing points to' },
  }),
  ...versions('sip_address', 'SipAddress', ['listSipAddressVersions', 'restoreSipAddress']),
];
