// Notifications of the account: listed, the latest first. The console keeps what was seen.
import { describeNotification } from '../../domain/notification.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { Handler } from '../http/handler.ts';
import { decodeCursor, pageResponse, readQuery } from '../http/page.ts';
import { NOTIFICATIONS_QUERY } from '../schemas/notification.ts';

export const listNotifications: Handler = async (request, context) => {
  const query = readQuery(NOTIFICATIONS_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const rows = await context.storage.listNotifications({
    accountId: request.account.id,
    ...(place.length > 0 ? { before: String(place[0]) } : {}),
    ...(query.open === 'true' ? { open: true } : {}),
    limit: query.limit + 1,
  });
  return pageResponse(request, '/v1/notifications', {
    rows,
    limit: query.limit,
    describe: describeNotification,
    position: ({ id }) => [id],
  });
};
