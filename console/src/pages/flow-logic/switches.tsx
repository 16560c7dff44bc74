// Switches: places of a call that set variables and decide by them.
import type { Switch } from '../../../../client/operations.ts';
import { RULE_OPERATORS, type RuleOperator } from '../../../../src/flow/logic-nodes.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import { SelectField, TextArea, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { Pages } from '../records/pages.tsx';
import { forced, useRecordForm } from '../records/record-form.ts';
import { DestinationLink, RecordList } from '../records/record-list.tsx';
import { RecordPage, Section } from '../records/record-page.tsx';
import { RowsField } from './rows-field.tsx';

export const Page = () => <Pages list={<Switches />} edit={(id) => <EditSwitch id={id} />} />;

function Switches() {
  const { t } = useWords();
  const nameOf = useNames();
  return (
    <RecordList
      kind="switch"
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        { key: 'rules', label: t('switches.rules'), value: ({ rules }) => String(rules.length) },
        {
          key: 'otherwise',
          label: t('switches.otherwise'),
          value: ({ otherwise_destination: to }) => nameOf(to).name,
          render: ({ otherwise_destination: to }) => <DestinationLink named={nameOf(to)} />,
        },
      ]}
    />
  );
}

interface Rule {
  readonly variable: string;
  readonly operator: RuleOperator;
  readonly value: string;
  readonly destination: string;
}
interface Setting {
  readonly variable: string;
  readonly value: string;
}
interface Draft {
  readonly name: string;
  readonly description: string;
  readonly set: readonly Setting[];
  readonly rules: readonly Rule[];
  readonly otherwise_destination: string;
}

const FRESH: Draft = { name: '', description: '', set: [], rules: [], otherwise_destination: '' };
const NEW_RULE: Rule = { variable: 'caller', operator: 'equals', value: '', destination: '' };
const NEEDS_NO_VALUE: readonly string[] = ['exists', 'missing'];

const bodyOf = ({ set, rules, ...draft }: Draft) => ({ ...draft, set: [...set], rules: [...rules] });

export function EditSwitch({ id }: { readonly id: string | null }) {
  const { t, hinted } = useWords();
  const form = useRecordForm<Switch, Draft>({
    kind: 'switch',
    id,
    fresh: FRESH,
    read: (one) => client.getSwitch({ params: { id: one } }),
    draftOf: ({ name, description, set, rules, otherwise_destination }) => ({
      name,
      description,
      set,
      rules: rules as readonly Rule[],
      otherwise_destination,
    }),
    nameOf: ({ name }) => name,
    create: (draft, idempotencyKey) => client.createSwitch({ body: bodyOf(draft), idempotencyKey }),
    put: (one, draft, ifMatch) => client.putSwitch({ params: { id: one }, body: bodyOf(draft), ifMatch }),
    remove: (one, force) => client.deleteSwitch({ params: { id: one }, query: forced(force) }),
  });
  return (
    <RecordPage form={form}>
      <Section>
        <TextField label={t('records.name')} {...form.field('name')} required />
        <RowsField
          {...hinted('switches.set')}
          {...form.field('set')}
          fresh={{ variable: '', value: '' }}
          max={50}
          row={({ variable, value }, change, index) => (
            <>
              <TextField
                label={t('flow-logic.variable')}
                value={variable}
                onChange={(text) => change({ variable: text })}
                fault={form.faultAt(`/set/${index}/variable`)}
              />
              <TextField
                label={t('flow-logic.value')}
                value={value}
                onChange={(text) => change({ value: text })}
                fault={form.faultAt(`/set/${index}/value`)}
              />
            </>
          )}
        />
        <RowsField
          {...hinted('switches.rules')}
          {...form.field('rules')}
          fresh={NEW_RULE}
          max={50}
          row={(rule, change, index) => (
            <>
              <TextField
                label={t('flow-logic.variable')}
                value={rule.variable}
                onChange={(variable) => change({ variable })}
                fault={form.faultAt(`/rules/${index}/variable`)}
              />
              <SelectField
                label={t('switches.operator')}
                value={rule.operator}
                onChange={(operator) => change({ operator })}
                options={RULE_OPERATORS.map((value) => ({ value, label: t(`switches.operator.${value}`) }))}
              />
              {!NEEDS_NO_VALUE.includes(rule.operator) && (
                <TextField
                  label={t('flow-logic.value')}
                  value={rule.value}
                  onChange={(value) => change({ value })}
                  fault={form.faultAt(`/rules/${index}/value`)}
                />
              )}
              <DestinationPicker
                label={t('flow-logic.next')}
                value={rule.destination}
                onChange={(destination) => change({ destination })}
                fault={form.faultAt(`/rules/${index}/destination`)}
              />
            </>
          )}
        />
        <DestinationPicker
          label={t('switches.otherwise')}
          {...form.field('otherwise_destination')}
          required
        />
        <TextArea label={t('flow-logic.note')} {...form.field('description')} />
      </Section>
    </RecordPage>
  );
}
