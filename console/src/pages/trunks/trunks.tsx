import type { Trunk } from '../../../../client/operations.ts';
import { useTrunkStates } from '../../data/live.ts';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { RecordList } from '../records/record-list.tsx';
import { EditTrunk } from './edit-trunk.tsx';
import { TrunkBadge } from './trunk-badge.tsx';
import { trunkNow } from './trunk-now.ts';

export const Page = () => <Pages list={<Trunks />} edit={(id) => <EditTrunk id={id} />} />;

function Trunks() {
  const { t } = useWords();
  const states = useTrunkStates();
  const state = (trunk: Trunk) => t(trunkNow(trunk, states?.get(trunk.id)).label);
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
          render: (trunk) => <TrunkBadge trunk={trunk} state={states?.get(trunk.id)} />,
        },
      ]}
    />
  );
}
