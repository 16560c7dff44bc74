// Caller ID rules: which number outbound calls show.
import type { CallerIdRule } from '../../../../client/operations.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { client } from '../../data/client.ts';
import { useNames, useNamesOf } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { NumberField, SelectField, TextField } from '../../kit/field.tsx';
import { referenceOfAgent, usePeopleOptions } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, orNull, useRecordForm } from '../records/record-form.ts';
import { RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';

export const Page = () => <Pages list={<CallerIds />} edit={(id) => <EditRule id={id} />} />;

/** The options of the conditions. */
function useParties() {
  const trunks = useRecords('trunk').items;
  const agent = usePeopleOptions(referenceOfAgent);
  const departments = useRecords('department').items;
  return {
    trunk: trunks.map(({ id, name }) => ({ value: `trunk||${id}`, label: name })),
    agent,
    department: departments.map(({ id, name }) => ({ value: `department||${id}`, label: name })),
  };
}

/** Also of those that were deleted. */
function usePartyNames(): (reference: string) => string {
  const names = useNames();
  const trunks = useNamesOf('trunk');
  return (reference) => {
    const { kind, id } = splitReference(reference);
    return kind === 'trunk' ? trunks(id) : names(reference).name;
  };
}

function CallerIds() {
  const { t } = useWords();
  const nameOf = usePartyNames();
  const when = ({ trunk, agent, department, prefix }: CallerIdRule) => {
    const names = [trunk, agent, department].flatMap((reference) =>
      reference === null ? [] : [nameOf(reference)],
    );
    return [...names, ...(prefix === null ? [] : [`${prefix}…`])].join(', ') || t('callerIds.all');
  };
  const shows = ({ show }: CallerIdRule) =>
    show === 'withhold' || show === 'caller' ? t(`callerIds.show.${show}`) : show;
  return (
    <RecordList
      kind="caller_id_rule"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'priority', label: t('callerIds.priority'), value: ({ priority }) => priority, number: true },
        { key: 'when', label: t('callerIds.when'), value: when },
        { key: 'show', label: t('callerIds.show'), value: shows },
      ]}
    />
  );
}

interface Draft {
  readonly name: string;
  readonly priority: number | null;
  readonly trunk: string;
  readonly agent: string;
  readonly department: string;
  readonly prefix: string;
  readonly how: string;
  readonly number: string;
}

const FRESH: Draft = {
  name: '',
  priority: 100,
  trunk: '',
  agent: '',
  department: '',
  prefix: '',
  how: 'number',
  number: '',
};

const bodyOf = ({ name, priority, trunk, agent, department, prefix, how, number }: Draft) => ({
  name,
  priority,
  trunk: orNull(trunk),
  agent: orNull(agent),
  department: orNull(department),
  prefix: orNull(prefix),
  show: how === 'number' ? number.trim() : how,
});

function draftOf({ name, priority, trunk, agent, department, prefix, show }: CallerIdRule): Draft {
  const isWord = show === 'withhold' || show === 'caller';
  return {
    name,
    priority,
    trunk: trunk ?? '',
    agent: agent ?? '',
    department: department ?? '',
    prefix: prefix ?? '',
    how: isWord ? show : 'number',
    number: isWord ? '' : show,
  };
}

function EditRule({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const parties = useParties();
  const form = useRecordForm<CallerIdRule, Draft>({
    kind: 'caller_id_rule',
    id,
    fresh: FRESH,
    read: (one) => client.getCallerIdRule({ params: { id: one } }),
    draftOf,
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createCallerIdRule({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) =>
      client.putCallerIdRule({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteCallerIdRule({ params: { id: one }, query: forced(force) }),
  });
  const any = { value: '', label: t('callerIds.any') };
  const nameOf = usePartyNames();
  // What a rule still names may be deleted.
  const also = (text: string) => (text.includes('||') ? [{ value: text, label: nameOf(text) }] : []);
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <NumberField {...hinted('callerIds.priority')} {...form.field('priority')} min={0} />
      </Section>
      <Section title={t('callerIds.when')} hint={t('callerIds.when.hint')}>
        <div className="records-columns">
          <Picker
            label={t('callerIds.trunk')}
            {...form.field('trunk')}
            options={[any, ...parties.trunk]}
            also={also}
          />
          <Picker
            label={t('callerIds.agent')}
            {...form.field('agent')}
            options={[any, ...parties.agent]}
            also={also}
          />
          <Picker
            label={t('callerIds.department')}
            {...form.field('department')}
            options={[any, ...parties.department]}
            also={also}
          />
          <TextField label={t('callerIds.prefix')} {...form.field('prefix')} inputMode="tel" />
        </div>
      </Section>
      <Section title={t('callerIds.show')}>
        <SelectField
          label={t('callerIds.show')}
          {...form.field('how', form.draft.how === 'number' ? '/show-how' : '/show')}
          options={(['number', 'caller', 'withhold'] as const).map((value) => ({
            value,
            label: t(`callerIds.show.${value}`),
          }))}
        />
        {form.draft.how === 'number' && (
          <TextField
            {...hinted('callerIds.number')}
            {...form.field('number', '/show')}
            required
            inputMode="tel"
          />
        )}
      </Section>
    </RecordPage>
  );
}
