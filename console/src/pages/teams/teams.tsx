// Teams: a name that agents share.
import type { Team } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { TextField } from '../../kit/field.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';

export const Page = () => <Pages list={<Teams />} edit={(id) => <EditTeam id={id} />} />;

function Teams() {
  const { t } = useWords();
  const { items: agents } = useRecords('agent');
  const countOf = (team: Team) => agents.filter((agent) => agent.team_id === team.id).length;
  return (
    <RecordList
      kind="team"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'agents', label: t('teams.members'), value: countOf, number: true },
      ]}
    />
  );
}

function EditTeam({ id }: { readonly id: string | null }) {
  const { t } = useWords();
  const form = useRecordForm<Team, { name: string }>({
    kind: 'team',
    id,
    fresh: { name: '' },
    read: (team) => client.getTeam({ params: { id: team } }),
    draftOf: ({ name }) => ({ name }),
    nameOf: ({ name }) => name,
    create: async (body, idempotencyKey) => ({
      id: String((await client.createTeam({ body, idempotencyKey })).id),
    }),
    put: (team, body, ifMatch) => client.putTeam({ params: { id: team }, body, ifMatch }),
    remove: (team, force) => client.deleteTeam({ params: { id: team }, query: forced(force) }),
    also: ['agent'],
  });
  return (
    <RecordPage form={form} more={id !== null && <Members team={Number(id)} />}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
      </Section>
    </RecordPage>
  );
}

function Members({ team }: { readonly team: number }) {
  const { t } = useWords();
  const { items } = useRecords('agent');
  const members = items.filter(({ team_id }) => team_id === team);
  return (
    <div className="records-more">
      <Section title={t('teams.members')}>
        {members.length === 0 && <p className="records-quiet">{t('teams.members.none')}</p>}
        <ul className="records-list">
          {members.map(({ eid, name, intercom }) => (
            <li key={eid} className="records-item">
              <Link to={pathTo('agents', eid)} className="records-item-main">
                {name}
              </Link>
              <span className="records-quiet">{intercom}</span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
