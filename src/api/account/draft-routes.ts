// The rows of drafts and publications in the route table.
import { SCENARIO_FIELDS } from '../../kinds/scenario.ts';
import { PAGE_QUERY } from '../http/page.ts';
import { mcp } from '../mcp.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import * as draft from './draft.ts';
import { DRAFT_QUERY, getDraft } from './drafted-changes.ts';

const { list, record, written } = responses;
const published = { status: 201, description: 'Published, and safe on disk', schema: 'Published' } as const;
const example = { reason: 'Summer hours' };

export const DRAFT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/draft',
    scope: 'read',
    id: 'getDraft',
    summary: 'Read the changes that wait for publication',
    handler: getDraft,
    query: DRAFT_QUERY,
    responses: [record('Draft')],
  },
  {
    method: 'POST',
    path: '/v1/draft/check',
    scope: 'read',
    id: 'checkDraft',
    summary: 'Lint and test the account as the draft would make it',
    handler: draft.checkDraft,
    responses: [record('DraftCheck')],
  },
  {
    method: 'POST',
    path: '/v1/draft/simulate',
    scope: 'read',
    id: 'simulateDraft',
    summary: 'Call the account as the draft would make it',
    handler: draft.simulateDraft,
    body: { entry: draft.ENTRY, ...SCENARIO_FIELDS },
    example: { entry: 'ivr||main', script: '1,answer' },
    responses: [record('Trace')],
  },
  {
    method: 'POST',
    path: '/v1/draft/publish',
    scope: 'write',
    id: 'publishDraft',
    summary: 'Let all changes of the draft take effect at once',
    handler: draft.publishDraft,
    body: draft.PUBLISH_DRAFT_FIELDS,
    query: draft.PUBLISH_QUERY,
    example,
    responses: [published],
  },
  {
    method: 'DELETE',
    path: '/v1/draft',
    scope: 'write',
    id: 'discardDraft',
    summary: 'Discard the draft',
    handler: draft.discardDraft,
    responses: [written()],
  },
  {
    method: 'DELETE',
    path: '/v1/draft/{kind}/{id}',
    scope: 'write',
    id: 'discardDrafted',
    summary: 'Discard one change of the draft',
    handler: draft.discardDrafted,
    orDraft: true,
    responses: [written()],
  },
  {
    method: 'GET',
    path: '/v1/publications',
    scope: 'read',
    id: 'listPublications',
    summary: 'List what was published, newest first',
    handler: draft.listPublications,
    query: PAGE_QUERY,
    responses: [list('Publication')],
  },
  {
    method: 'POST',
    path: '/v1/publication/{id}/roll_back',
    scope: 'write',
    id: 'rollBack',
    summary: 'Undo a publication as a whole',
    handler: draft.rollBack,
    query: draft.ROLL_BACK_QUERY,
    body: draft.PUBLISH_FIELDS,
    example,
    responses: [published],
  },
  // Assistants work on the draft.
  {
    method: 'POST',
    path: '/mcp',
    scope: 'any',
    id: 'mcp',
    summary: 'The Model Context Protocol, for assistants (docs/assistants.md)',
    handler: mcp,
    unlisted: true,
    tolerant: true,
    responses: [written()],
  },
];
