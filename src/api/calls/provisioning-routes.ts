// Rows of the route table: phones that configure themselves.
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { EXAMPLES } from '../schemas/examples.ts';
import { createPhonebook, getPhonebook } from './phonebook.ts';
import { createProvisioning, getPhoneFile, PROVISIONING_FIELDS } from './provisioning.ts';

export const PROVISIONING_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/agent/{eid}/provisioning',
    scope: 'write',
    id: 'createProvisioning',
    summary: 'Make an address by which one phone configures itself, once',
    handler: createProvisioning,
    body: PROVISIONING_FIELDS,
    example: EXAMPLES.provisioning,
    responses: [responses.written('Provisioning')],
  },
  {
    method: 'GET',
    path: '/provisioning/{code}/{file}',
    id: 'phoneFile',
    summary: 'The configuration file of a phone, once',
    handler: getPhoneFile,
    open: true,
    unlisted: true,
    responses: [responses.text('text/xml', 'A file')],
  },
  {
    method: 'POST',
    path: '/v1/agent/{eid}/phonebook',
    scope: 'write',
    id: 'createPhonebook',
    summary: 'Make an address for the phonebook of desk phones',
    handler: createPhonebook,
    responses: [responses.written('Phonebook')],
  },
  ...(['GET', 'POST'] as const).map(
    (method): Route => ({
      method,
      path: '/phonebook/{code}/{file}',
      id: method === 'GET' ? 'phonebookFile' : 'phonebookFileByPost',
      summary: 'Colleagues and contacts, as a file for a phone',
      handler: getPhonebook,
      open: true,
      unlisted: true,
      responses: [responses.text('text/xml', 'A file')],
    }),
  ),
];
