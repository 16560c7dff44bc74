// Figures and calls as files, the report by mail, mail that is sent to try it, and how the service runs.
import { SHEET_ROUTES } from '../calls/sheet-routes.ts';
import { represented } from '../http/prefer.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { CONFIGURATION_FIELDS } from '../schemas/configuration.ts';
import { EXAMPLES } from '../schemas/examples.ts';
import { getConfiguration, patchConfiguration } from './configuration.ts';
import * as report from './report.ts';

const { record, written } = responses;
const TO = { to: 'manager@example.com' };

export const REPORT_ROUTES: readonly Route[] = [
  ...SHEET_ROUTES,
  {
    method: 'GET',
    path: '/v1/report',
    scope: 'read',
    id: 'getReport',
    summary: 'What the report by mail says',
    handler: report.getReport,
    query: report.REPORT_QUERY,
    responses: [record('Report')],
  },
  {
    method: 'POST',
    path: '/v1/report/send',
    scope: 'admin',
    id: 'sendReport',
    summary: 'Send the report to one address now',
    handler: report.sendReport,
    body: report.SEND_REPORT_FIELDS,
    example: { period: 'week', ...TO },
    responses: [written()],
  },
  {
    method: 'POST',
    path: '/v1/mail/test',
    scope: 'admin',
    id: 'sendTestMail',
    summary: 'Send a mail to see whether mail works',
    handler: report.sendTestMail,
    body: report.TEST_MAIL_FIELDS,
    example: TO,
    responses: [written()],
  },
  {
    method: 'GET',
    path: '/v1/configuration',
    scope: 'admin',
    id: 'getConfiguration',
    summary: 'How the service runs, without secrets',
    handler: getConfiguration,
    responses: [record('Configuration')],
  },
  {
    method: 'PATCH',
    path: '/v1/configuration',
    scope: 'admin',
    id: 'patchConfiguration',
    summary: 'Set variables of mail, SMS and network that the environment leaves open; null removes one',
    handler: represented(patchConfiguration, getConfiguration),
    body: CONFIGURATION_FIELDS,
    example: EXAMPLES.configuration,
    headers: ['Prefer'],
    responses: [written('Done', 'Configuration')],
  },
];
