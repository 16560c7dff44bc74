// The form of a record in the map's panel: the one that its own page has.
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Embedded } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { FormDone } from '../records/record-form.ts';
import { type Secret, ShownOnce } from '../records/shown-once.tsx';
import type { MapKind } from './graph.ts';

interface FormProps {
  readonly id: string | null;
  readonly onSecret: (secret: Secret) => void;
}

type Form = ComponentType<FormProps>;

// biome-ignore format: a table is read by its columns
const FORMS: Readonly<Partial<Record<MapKind, Form>>> = {
  dialled: lazy(async () => ({ default: (await import('../numbers/numbers.tsx')).EditNumber as Form })),
  hours: lazy(async () => ({ default: (await import('../hours/edit-hours.tsx')).EditHours as Form })),
  announcement: lazy(async () => ({ default: (await import('../announcements/announcements.tsx')).EditAnnouncement as Form })),
  department: lazy(async () => ({ default: (await import('../departments/edit-department.tsx')).EditDepartment as Form })),
  agent: lazy(async () => ({ default: (await import('../agents/edit-agent.tsx')).EditAgent })),
  voicemail: lazy(async () => ({ default: (await import('../voicemail/voicemail.tsx')).EditBox as Form })),
  trunk: lazy(async () => ({ default: (await import('../trunks/edit-trunk.tsx')).EditTrunk as Form })),
  room: lazy(async () => ({ default: (await import('../rooms/rooms.tsx')).EditRoom as Form })),
  collect: lazy(async () => ({ default: (await import('../flow-logic/collects.tsx')).EditCollect as Form })),
  request: lazy(async () => ({ default: (await import('../flow-logic/requests.tsx')).EditRequest as Form })),
  stream: lazy(async () => ({ default: (await import('../flow-logic/streams.tsx')).EditStream as Form })),
  switch: lazy(async () => ({ default: (await import('../flow-logic/switches.tsx')).EditSwitch as Form })),
  message: lazy(async () => ({ default: (await import('../flow-logic/messages.tsx')).EditMessage as Form })),
  sip: lazy(async () => ({ default: (await import('../flow-logic/sip-addresses.tsx')).EditSipAddress as Form })),
};

interface RecordEditorProps {
  readonly kind: MapKind;
  readonly id: string | null;
  /** With the id of a new record, or null after a deletion. */
  readonly onDone: (made: string | null) => void;
}

export function RecordEditor({ kind, id, onDone }: RecordEditorProps) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const EditRecord = FORMS[kind];
  if (!EditRecord) return null;
  return (
    <Embedded value={true}>
      <FormDone value={onDone}>
        <Suspense fallback={<Loading />}>
          <EditRecord id={id} onSecret={setSecret} />
        </Suspense>
        <ShownOnce secret={secret} onClose={() => setSecret(null)} />
      </FormDone>
    </Embedded>
  );
}
