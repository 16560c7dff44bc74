import type { Department } from '../../../../client/operations.ts';
import { useAgentStates, useQueues } from '../../data/live.ts';
import type { LiveAgent, LiveQueue } from '../../data/live-state.ts';
import { useNames } from '../../data/names.ts';
import { Badge } from '../../kit/badge.tsx';
import { Since } from '../../kit/since.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { DEPARTMENT_TONES, departmentNow } from './department-now.ts';
import { EditDepartment } from './edit-department.tsx';

export const Page = () => <Pages list={<Departments />} edit={(id) => <EditDepartment id={id} />} />;

function Departments() {
  const { t } = useWords();
  const nameOf = useNames();
  const failover = ({ failover_destination: to }: Department) => (to === null ? null : nameOf(to));
  const states = useAgentStates();
  const queues = useQueues();
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
          key: 'now',
          label: t('now.department.agents'),
          value: (department) => (states ? departmentNow(department, states).free : null),
          render: (department) => <AgentsNow department={department} states={states} />,
        },
        {
          key: 'queue',
          label: t('departments.line'),
          value: (department) => queues?.get(department.id)?.waiting ?? (department.queue ? 0 : -1),
          render: (department) => <QueueNow department={department} queue={queues?.get(department.id)} />,
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

interface AgentsNowProps {
  readonly department: Department;
  readonly states: ReadonlyMap<string, LiveAgent> | null;
}

function AgentsNow({ department, states }: AgentsNowProps) {
  const { t } = useWords();
  if (states === null) return <span className="records-quiet">{t('now.unknown')}</span>;
  const { look, free } = departmentNow(department, states);
  const count = department.agents.length;
  return <Badge tone={DEPARTMENT_TONES[look]}>{t(`now.department.${look}`, { free, count })}</Badge>;
}

interface QueueNowProps {
  readonly department: Department;
  readonly queue: LiveQueue | undefined;
}

function QueueNow({ department, queue }: QueueNowProps) {
  const { t, number } = useWords();
  if (!department.queue) return <span className="records-quiet">{t('departments.queue.off')}</span>;
  if (!queue) return <span className="records-quiet">{t('now.queue.nobody')}</span>;
  return (
    <span className="now">
      <Badge tone="warn">{number(queue.waiting)}</Badge>
      <Since at={queue.longest_since} />
    </span>
  );
}
