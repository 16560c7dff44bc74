// Statistics and call records as files for people.
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { STATISTICS_QUERY } from '../schemas/statistics.ts';
import * as sheets from './sheets.ts';

const { text } = responses;
const XLSX = text(
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'A workbook (Office Open XML)',
);

export const SHEET_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/call/records.xlsx',
    scope: 'read',
    id: 'exportCallWorkbook',
    summary: 'The same as a workbook, at most 10,000 calls',
    handler: sheets.exportCallWorkbook,
    query: sheets.CALL_WORKBOOK_QUERY,
    responses: [XLSX],
  },
  {
    method: 'GET',
    path: '/v1/statistics.csv',
    scope: 'read',
    id: 'exportStatistics',
    summary: 'One table of the statistics as CSV',
    handler: sheets.exportStatistics,
    query: sheets.STATISTICS_CSV_QUERY,
    responses: [text('text/csv', 'RFC 4180, with a header line')],
  },
  {
    method: 'GET',
    path: '/v1/statistics.xlsx',
    scope: 'read',
    id: 'exportStatisticsWorkbook',
    summary: 'All tables of the statistics as a workbook',
    handler: sheets.exportStatisticsWorkbook,
    query: STATISTICS_QUERY,
    responses: [XLSX],
  },
];
