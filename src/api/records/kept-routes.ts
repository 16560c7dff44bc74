// Rows of the route table: where a record is used, and records that were deleted.

import { TESTS_QUERY } from '../calls/test-gate.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import * as deleted from './deleted.ts';
import { listReferences, REFERENCES_SCHEMAS } from './references.ts';

const { list, record, written } = responses;

export const KEPT_SCHEMAS = { ...deleted.DELETED_SCHEMAS, ...REFERENCES_SCHEMAS };

export const KEPT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/references/{kind}/{id}',
    scope: 'read',
    id: 'listReferences',
    summary: 'Where a record is used',
    handler: listReferences,
    responses: [record('References')],
  },
  {
    method: 'GET',
    path: '/v1/deleted_records',
    scope: 'read',
    id: 'listDeletedRecords',
    summary: 'List deleted records that can be restored, newest first',
    handler: deleted.listDeletedRecords,
    query: deleted.DELETED_QUERY,
    responses: [list('DeletedRecord')],
  },
  {
    method: 'POST',
    path: '/v1/deleted_record/{id}/restore',
    scope: 'write',
    id: 'restoreDeletedRecord',
    summary: 'Restore a deleted record with its former id',
    handler: deleted.restoreDeletedRecord,
    query: TESTS_QUERY,
    responses: [written('Restored')],
  },
  {
    method: 'DELETE',
    path: '/v1/deleted_record/{id}',
    scope: 'write',
    id: 'eraseDeletedRecord',
    summary: 'Erase a deleted record for good',
    handler: deleted.eraseDeletedRecord,
    responses: [written()],
  },
];
