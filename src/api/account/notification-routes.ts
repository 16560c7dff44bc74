// Rows of the route table: notifications, and how the wallboard is coloured.
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { EXAMPLES } from '../schemas/examples.ts';
import { NOTIFICATIONS_QUERY } from '../schemas/notification.ts';
import { listNotifications } from './notification.ts';
import { getWallboard, putWallboard, WALLBOARD_FIELDS } from './wallboard.ts';

const { list, record, written } = responses;

export const NOTIFICATION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/notifications',
    scope: 'read',
    id: 'listNotifications',
    summary: 'List notifications, newest first',
    handler: listNotifications,
    query: NOTIFICATIONS_QUERY,
    responses: [list('Notification')],
  },
  {
    method: 'GET',
    path: '/v1/wallboard',
    scope: 'read',
    id: 'getWallboard',
    summary: 'Read when the wallboard changes its colours',
    handler: getWallboard,
    responses: [record('Wallboard')],
  },
  {
    method: 'PUT',
    path: '/v1/wallboard',
    scope: 'calls',
    id: 'putWallboard',
    summary: 'Set when the wallboard changes its colours',
    handler: putWallboard,
    body: WALLBOARD_FIELDS,
    example: EXAMPLES.wallboard,
    responses: [written()],
  },
];
