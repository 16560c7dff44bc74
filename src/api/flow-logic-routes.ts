// The rows of collect, request, stream, switch, message and SIP addresses in the table of routes.ts.
import { collection, type Route, versions } from './route.ts';

// biome-ignore format: a table is read by its columns
export const FLOW_LOGIC_ROUTES: readonly Route[] = [
  ...collection('collect', {
    list: { summary: 'List what asks for digits, in pages' },
    create: { summary: 'Create a collect: it asks callers for digits' },
  }),
  ...versions('collect'),
  ...collection('request', {
    list: { summary: 'List requests to your own systems, in pages' },
    create: { summary: 'Create a request: calls ask your own system' },
  }),
  ...versions('request'),
  ...collection('stream', {
    list: { summary: 'List streams to voice bots, in pages' },
    create: { summary: 'Create a stream: callers talk with a voice bot' },
  }),
  ...versions('stream'),
  ...collection('switch', {
    create: { summary: 'Create a switch: it decides by variables of the call' },
  }),
  ...versions('switch'),
  ...collection('message', {
    create: { summary: 'Create a message: a call sends a text and goes on' },
  }),
  ...versions('message'),
  ...collection('sip_address', {
    create: { summary: 'Create a SIP address: calls ring it elsewhere' },
  }),
  ...versions('sip_address'),
];
