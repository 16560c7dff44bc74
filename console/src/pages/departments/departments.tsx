import type { Department } from '../../../../client/operations.ts';
import { useNames } from '../../data/names.ts';
import { Badge } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { EditDepartment } from './edit-department.tsx';

export const Page = () => <Pages list={<Departments />} edit={(id) => <EditDepartment id={id} />} />;

function Departments() {
  const { t } = useWords();
  const nameOf = useNames();
  const failover = ({ failover_destination: to }: Department) => (to === null ? null : nameOf(to));
  const line = ({ queue }: Department) => t(queue ? 'departments.queue.on' : 'departments.queue.off');
  return (
    <RecordList
      kind="department"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'agents', label: t('departments.agents'), value: ({ agents }) => agents.length, number: true },
        {
          key: 'strategy',
          label: t('departments.strategy'),
          value: ({ strategy }) => t(`departments.strategy.${strategy}`),
        },
        {
          key: 'queue',
          label: t('departments.line'),
          value: line,
          render: (department) => (
            <Badge tone={department.queue ? 'info' : 'neutral'}>{line(department)}</Badge>
          ),
        },
        {
          key: 'failover',
          label: t('departments.failover'),
          value: (department) => failover(department)?.name ?? '',
          render: (department) => <DestinationLink named={failover(department)} />,
        },
        { key: 'description', label: t('records.description'), value: ({ description }) => description },
      ]}
    />
  );
}
