import type { ReactNode } from 'react';
import type { CreatableKind } from '../../kit/create-in-place.tsx';
import { DestinationPicker } from '../../kit/destination-picker.tsx';
import type { Faults } from '../../kit/faults.ts';
import { SelectField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { MembersField } from '../departments/members-field.tsx';
import { PromptField } from '../editor/prompt-field.tsx';
import type { CreateDraft } from './creation.ts';
import {
  CollectFields,
  MessageFields,
  RequestFields,
  SipAddressFields,
  StreamFields,
  SwitchFields,
} from './flow-logic-fields.tsx';

interface KindFieldsProps {
  readonly kind: CreatableKind;
  readonly draft: CreateDraft;
  readonly change: (more: Partial<CreateDraft>) => void;
  readonly faults: Faults;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'];

export function KindFields({ kind, ...props }: KindFieldsProps): ReactNode {
  switch (kind) {
    case 'agent':
      return <AgentFields {...props} />;
    case 'department':
      return <DepartmentFields {...props} />;
    case 'timegroup':
      return <HoursFields {...props} />;
    case 'announcement':
      return <AnnouncementFields {...props} />;
    case 'voicemail':
      return <BoxFields {...props} />;
    case 'room':
      return <RoomFields {...props} />;
    case 'collect':
      return <CollectFields {...props} />;
    case 'request':
      return <RequestFields {...props} />;
    case 'stream':
      return <StreamFields {...props} />;
    case 'switch':
      return <SwitchFields {...props} />;
    case 'message':
      return <MessageFields {...props} />;
    case 'sip_address':
      return <SipAddressFields {...props} />;
    case 'ivr':
      return <MenuFields {...props} />;
    case 'team':
      return null;
    default:
      return kind satisfies never;
  }
}

type FieldsProps = Omit<KindFieldsProps, 'kind'>;

function AgentFields({ draft, change, faults }: FieldsProps) {
  const { t } = useWords();
  return (
    <TextField
      label={t('agents.intercom')}
      hint={t('create.intercom.hint')}
      inputMode="numeric"
      value={draft.intercom}
      onChange={(intercom) => change({ intercom })}
      fault={faults.at('/intercom')}
    />
  );
}

function DepartmentFields({ draft, change, faults }: FieldsProps) {
  return (
    <MembersField
      value={draft.agents}
      onChange={(agents) => change({ agents })}
      fault={faults.at('/agents')}
      levels={{ value: draft.levels, onChange: (levels) => change({ levels }), fault: undefined }}
    />
  );
}

function HoursFields({ draft, change, faults }: FieldsProps) {
  const { t } = useWords();
  return (
    <>
      <p className="field-hint">{t('create.hours', { zone: draft.timezone })}</p>
      <DestinationPicker
        label={t('hours.open')}
        value={draft.destination}
        onChange={(destination) => change({ destination })}
        fault={faults.at('/open_destination')}
        allowEmpty
      />
      <DestinationPicker
        label={t('hours.closed')}
        value={draft.closed}
        onChange={(closed) => change({ closed })}
        fault={faults.at('/closed_destination')}
        allowEmpty
      />
    </>
  );
}

function AnnouncementFields({ draft, change, faults }: FieldsProps) {
  const { t, hinted } = useWords();
  return (
    <>
      <PromptField
        label={t('records.recording')}
        value={draft.recording}
        onChange={(recording) => change({ recording })}
        fault={faults.at('/recording')}
      />
      <DestinationPicker
        {...hinted('announcements.then')}
        value={draft.destination}
        onChange={(destination) => change({ destination })}
        fault={faults.at('/destination')}
        required
      />
    </>
  );
}

function BoxFields({ draft, change, faults }: FieldsProps) {
  const { hinted } = useWords();
  return (
    <TextField
      {...hinted('voicemail.email')}
      type="email"
      value={draft.email}
      onChange={(email) => change({ email })}
      fault={faults.at('/email')}
    />
  );
}

function RoomFields({ draft, change, faults }: FieldsProps) {
  const { hinted } = useWords();
  return (
    <TextField
      {...hinted('rooms.pin')}
      value={draft.pin}
      onChange={(pin) => change({ pin })}
      fault={faults.at('/pin')}
    />
  );
}

function MenuFields({ draft, change, faults }: FieldsProps) {
  const { t } = useWords();
  return (
    <>
      <p className="field-hint">{t('create.menu')}</p>
      <SelectField
        label={t('create.key')}
        value={draft.keys}
        options={KEYS.map((value) => ({ value, label: value }))}
        onChange={(keys) => change({ keys })}
        fault={faults.at('/option')}
      />
      <DestinationPicker
        label={t('editor.option.destination', { keys: draft.keys })}
        value={draft.destination}
        onChange={(destination) => change({ destination })}
        fault={faults.at('/destination')}
        required
      />
    </>
  );
}
