import type { TimeGroup } from '../../../../client/operations.ts';
import { useNames } from '../../data/names.ts';
import { Badge } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { CloseNow } from './close-now.tsx';
import { isClosedByHand } from './closing.ts';
import { EditHours } from './edit-hours.tsx';

export const Page = () => <Pages list={<Hours />} edit={(id) => <EditHours id={id} />} />;

function Hours() {
  const { t, dateTime } = useWords();
  const nameOf = useNames();
  const named = (reference: string | null) => (reference === null ? null : nameOf(reference));
  const now = (group: TimeGroup) =>
    isClosedByHand(group, Date.now())
      ? t('hours.close.badge', { time: dateTime(group.closed_until ?? '') })
      : t(group.open_now ? 'hours.now.open' : 'hours.now.closed');
  return (
    <RecordList
      kind="timegroup"
      rowActions={(group) => <CloseNow group={group} />}
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        {
          key: 'now',
          label: t('records.status'),
          value: now,
          render: (group) => (
            <Badge tone={isClosedByHand(group, Date.now()) ? 'warn' : group.open_now ? 'good' : 'neutral'}>
              {now(group)}
            </Badge>
          ),
        },
        { key: 'zone', label: t('hours.timezone'), value: ({ timezone }) => timezone },
        {
          key: 'open',
          label: t('hours.open'),
          value: ({ open_destination: to }) => named(to)?.name ?? '',
          render: ({ open_destination: to }) => <DestinationLink named={named(to)} />,
        },
        {
          key: 'closed',
          label: t('hours.closed'),
          value: ({ closed_destination: to }) => named(to)?.name ?? '',
          render: ({ closed_destination: to }) => <DestinationLink named={named(to)} />,
        },
      ]}
    />
  );
}
