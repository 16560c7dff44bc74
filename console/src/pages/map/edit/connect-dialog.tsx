// Where a row of a node leads, chosen from a list: the way for the keyboard, and for destinations that are far away on the map.
import { useMemo, useState } from 'react';
import { type CreatedRecord, referenceOfCreated, useCreateInPlace } from '../../../kit/create-in-place.tsx';
import { DestinationPicker } from '../../../kit/destination-picker.tsx';
import { FormDialog } from '../../../kit/dialog.tsx';
import { SelectField } from '../../../kit/field.tsx';
import { referenceOfAgent, usePeopleOptions } from '../../../kit/people.ts';
import { Picker } from '../../../kit/picker.tsx';
import { useWords } from '../../../words/words.tsx';
import type { MapNode } from '../graph.ts';
import { type Labels, reasonText } from '../labels.ts';
import { exitsOf, freeKeys, NEW_KEY } from './changes.ts';
import type { Connection } from './use-editing.ts';

const AGENT = ['agent'] as const;

interface ConnectDialogProps {
  readonly node: MapNode;
  readonly labels: Labels;
  /** The row that is chosen at first; null: the first that leads nowhere. */
  readonly pointer: string | null;
  readonly onConnect: (connection: Connection) => Promise<boolean>;
  readonly onClose: () => void;
}

export function ConnectDialog({ node, labels, pointer, onConnect, onClose }: ConnectDialogProps) {
  const { t } = useWords();
  const exits = useMemo(() => exitsOf(node), [node]);
  const keys = node.kind === 'menu' ? freeKeys(node) : [];
  const unset = exits.find(({ value, reason }) => value === '' && reason !== 'member');
  const first = pointer ?? (keys.length > 0 ? NEW_KEY : (unset ?? exits[0])?.pointer) ?? '';
  const [at, setAt] = useState(first);
  const [key, setKey] = useState(keys[0] ?? '');
  const exit = exits.find((each) => each.pointer === at);
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const reference = chosen ?? exit?.value ?? '';
  const submit = async (): Promise<void> => {
    setBusy(true);
    const done = await onConnect({ node, pointer: at, reference, ...(at === NEW_KEY ? { key } : {}) });
    setBusy(false);
    if (done) onClose();
  };
  return (
    <FormDialog
      title={t('map.edit.connect', { name: labels.name(node) })}
      action={t('map.edit.connect.action')}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('map.edit.row')}
        value={at}
        options={[
          ...exits.map((each) => ({ value: each.pointer, label: reasonText(each, t) })),
          ...(keys.length > 0 ? [{ value: NEW_KEY, label: t('map.edit.newKey') }] : []),
        ]}
        onChange={(next) => {
          setAt(next);
          setChosen(null);
        }}
      />
      {at === NEW_KEY && (
        <SelectField
          label={t('map.edit.key')}
          value={key}
          options={keys.map((value) => ({ value, label: value }))}
          onChange={setKey}
        />
      )}
      {exit?.reason === 'member' ? (
        <AgentPicker node={node} value={reference} onChange={setChosen} />
      ) : (
        <DestinationPicker
          key={at}
          label={t('map.edit.to')}
          value={reference}
          onChange={setChosen}
          allowEmpty={exit?.optional ?? false}
          autoFocus
        />
      )}
    </FormDialog>
  );
}

function AgentPicker(props: {
  readonly node: MapNode;
  readonly value: string;
  readonly onChange: (reference: string) => void;
}) {
  const { t } = useWords();
  const people = usePeopleOptions(referenceOfAgent);
  const members = new Set(props.node.ways.find(({ reason }) => reason === 'member')?.to);
  const options = people.filter(({ value }) => !members.has(value));
  // Its name, until the list has it.
  const [created, setCreated] = useState<CreatedRecord | null>(null);
  const { creates, dialog } = useCreateInPlace(AGENT, (made) => {
    setCreated(made);
    props.onChange(referenceOfCreated(made));
  });
  const also = (text: string) =>
    created && referenceOfCreated(created) === text ? [{ value: text, label: created.name }] : [];
  return (
    <>
      <Picker
        label={t('map.edit.agent')}
        value={props.value}
        options={options}
        also={also}
        creates={creates}
        onChange={props.onChange}
        autoFocus
      />
      {dialog}
    </>
  );
}
