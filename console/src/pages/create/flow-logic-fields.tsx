// Fields of what asks, decides and sends, in the dialog that creates it.
import { useRecords } from '../../data/records.ts';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import type { Faults } from '../../kit/faults.ts';
import { NumberField, TextField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { PromptField } from '../editor/prompt-field.tsx';
import type { CreateDraft } from './creation.ts';

interface FieldsProps {
  readonly draft: CreateDraft;
  readonly change: (more: Partial<CreateDraft>) => void;
  readonly faults: Faults;
}

function Next({ draft, change, faults }: FieldsProps) {
  const { t } = useWords();
  return (
    <DestinationPicker
      label={t('flow-logic.next')}
      value={draft.destination}
      onChange={(destination) => change({ destination })}
      fault={faults.at('/next_destination')}
      required
    />
  );
}

function Failed({ draft, change, faults, ...labels }: FieldsProps & { label: string; hint?: string }) {
  return (
    <DestinationPicker
      {...labels}
      value={draft.otherwise}
      onChange={(otherwise) => change({ otherwise })}
      fault={faults.at('/failed_destination')}
      required
    />
  );
}

function Address({
  draft,
  change,
  faults,
  at,
  ...labels
}: FieldsProps & { at: string; label: string; hint?: string }) {
  return (
    <TextField
      {...labels}
      value={draft.address}
      onChange={(address) => change({ address })}
      fault={faults.at(at)}
      required
    />
  );
}

export function CollectFields(props: FieldsProps) {
  const { t, hinted } = useWords();
  const { draft, change, faults } = props;
  return (
    <>
      <PromptField
        label={t('collects.recording')}
        value={draft.recording}
        onChange={(recording) => change({ recording })}
        fault={faults.at('/recording')}
      />
      <NumberField
        label={t('collects.max')}
        value={draft.digits}
        onChange={(digits) => change({ digits })}
        fault={faults.at('/max_digits')}
        min={1}
        max={32}
        required
      />
      <TextField
        {...hinted('collects.saveAs')}
        value={draft.variable}
        onChange={(variable) => change({ variable })}
        fault={faults.at('/save_as')}
        required
      />
      <Next {...props} />
      <Failed {...props} {...hinted('collects.failed')} />
    </>
  );
}

export function RequestFields(props: FieldsProps) {
  const { hinted } = useWords();
  return (
    <>
      <Address {...props} {...hinted('requests.url')} at="/url" />
      <Next {...props} />
      <Failed {...props} {...hinted('requests.failed')} />
    </>
  );
}

export function StreamFields(props: FieldsProps) {
  const { hinted } = useWords();
  return (
    <>
      <Address {...props} {...hinted('streams.url')} at="/url" />
      <Next {...props} />
      <Failed {...props} {...hinted('streams.failed')} />
    </>
  );
}

export function SwitchFields({ draft, change, faults }: FieldsProps) {
  const { t } = useWords();
  return (
    <>
      <TextField
        label={t('flow-logic.variable')}
        value={draft.variable}
        onChange={(variable) => change({ variable })}
        fault={faults.at('/rules/0/variable')}
        required
      />
      <TextField
        label={t('create.equals')}
        value={draft.equals}
        onChange={(equals) => change({ equals })}
        fault={faults.at('/rules/0/value')}
      />
      <DestinationPicker
        label={t('flow-logic.next')}
        value={draft.destination}
        onChange={(destination) => change({ destination })}
        fault={faults.at('/rules/0/destination')}
        required
      />
      <DestinationPicker
        label={t('switches.otherwise')}
        value={draft.otherwise}
        onChange={(otherwise) => change({ otherwise })}
        fault={faults.at('/otherwise_destination')}
        required
      />
    </>
  );
}

export function MessageFields(props: FieldsProps) {
  const { t } = useWords();
  const { draft, change, faults } = props;
  const { items } = useRecords('sms_template');
  return (
    <>
      <Picker
        label={t('messages.template')}
        value={draft.template}
        onChange={(template) => change({ template })}
        fault={faults.at('/sms_template')}
        options={items.map(({ id, name }) => ({ value: id, label: name }))}
        required
      />
      <Next {...props} />
    </>
  );
}

export function SipAddressFields(props: FieldsProps) {
  const { hinted } = useWords();
  const { draft, change, faults } = props;
  return (
    <>
      <Address {...props} {...hinted('sipAddresses.uri')} at="/uri" />
      <DestinationPicker
        {...hinted('sipAddresses.failover')}
        value={draft.otherwise}
        onChange={(otherwise) => change({ otherwise })}
        fault={faults.at('/failover_destination')}
        allowEmpty
      />
    </>
  );
}
