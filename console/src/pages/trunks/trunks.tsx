import type { Trunk } from '../../../../client/operations.ts';
import { Badge } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { RecordList } from '../records/record-list.tsx';
import { EditTrunk } from './edit-trunk.tsx';

export const Page = () => <Pages list={<Trunks />} edit={(id) => <EditTrunk id={id} />} />;

function Trunks() {
  const { t } = useWords();
  const state = ({ enabled }: Trunk) => t(enabled ? 'trunks.on' : 'trunks.off');
  return (
    <RecordList
      kind="trunk"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'host', label: t('trunks.host'), value: ({ host }) => host },
        { key: 'transport', label: t('trunks.transport'), value: ({ transport }) => transport.toUpperCase() },
        { key: 'register', label: t('trunks.register'), value: ({ register }) => register },
        { key: 'calls', label: t('trunks.maxCalls'), value: ({ max_calls }) => max_calls, number: true },
        {
          key: 'state',
          label: t('records.status'),
          value: state,
          render: (trunk) => <Badge tone={trunk.enabled ? 'good' : 'neutral'}>{state(trunk)}</Badge>,
        },
      ]}
    />
  );
}
