import { useState } from 'react';
import type { Agent } from '../../../../client/operations.ts';
import { useAgentStates } from '../../data/live.ts';
import { Badge } from '../../kit/badge.tsx';
import { useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages, useArrival } from '../records/pages.tsx';
import { LinkButton, RecordList } from '../records/record-list.tsx';
import { type Secret, ShownOnce } from '../records/shown-once.tsx';
import { AgentBadge, PhonesNow } from './agent-badge.tsx';
import { EditAgent } from './edit-agent.tsx';
import { ImportAgents } from './import-agents.tsx';

export function Page() {
  const { parts } = useRoute();
  useArrival(parts[1]);
  // It outlives the form: after creating an agent the password is shown on the agent's page.
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <>
      {parts[1] === 'import' ? (
        <ImportAgents />
      ) : (
        <Pages list={<Agents />} edit={(id) => <EditAgent id={id} onSecret={setSecret} />} />
      )}
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function Agents() {
  const { t } = useWords();
  const states = useAgentStates();
  const state = ({ eid, custom_status }: Agent): string => {
    const now = states?.get(eid);
    if (now) return t(`agentState.${now.state}`);
    return t(custom_status === 1 ? 'agentState.blocked' : 'now.unknown');
  };
  return (
    <RecordList
      kind="agent"
      actions={<LinkButton to="/agents/import" icon="upload" label={t('agents.import')} />}
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name, narrow: 'lead' },
        {
          key: 'status',
          label: t('now.agent'),
          value: state,
          narrow: 'end',
          render: (agent) =>
            states === null && agent.custom_status === 1 ? (
              <Badge tone="bad">{state(agent)}</Badge>
            ) : (
              <AgentBadge agent={states?.get(agent.eid)} />
            ),
        },
        {
          key: 'phones',
          label: t('now.phones'),
          value: ({ eid }) => states?.get(eid)?.phones.registered ?? 0,
          render: ({ eid }) => <PhonesNow agent={states?.get(eid)} />,
        },
        { key: 'intercom', label: t('agents.intercom'), value: ({ intercom }) => intercom, narrow: 'note' },
        { key: 'eid', label: t('agents.eid'), value: ({ eid }) => eid },
        { key: 'follow', label: t('agents.followMe'), value: ({ follow_me_number }) => follow_me_number },
        { key: 'team', label: t('agents.team'), value: ({ team_name }) => team_name },
        {
          key: 'departments',
          label: t('agents.departments'),
          narrow: 'middle',
          value: ({ departments }) => departments.map(({ name }) => name).join(', '),
        },
        {
          key: 'answered',
          label: t('agents.answered'),
          value: ({ calls_answered }) => calls_answered,
          number: true,
        },
      ]}
    />
  );
}
