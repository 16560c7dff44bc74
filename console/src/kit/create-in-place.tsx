// “+ Department Billing” at the end of a picker's list: creates the record in a dialog and returns with it chosen.
import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { KINDS } from '../../../src/kinds/lists.ts';
import { referenceText } from '../../../src/kinds/reference.ts';
import type { DestinationRecord } from '../data/names.ts';
import { useRecordsByKind } from '../data/records.ts';
import { useWords } from '../words/words.tsx';
import type { Option } from './picker.tsx';

export type CreatableKind = DestinationRecord | 'team';

export interface CreatedRecord {
  readonly kind: CreatableKind;
  readonly id: string;
  readonly name: string;
}

export interface CreateDialogProps {
  readonly kind: CreatableKind;
  /** What was typed in the picker. */
  readonly name: string;
  readonly onCreated: (made: CreatedRecord) => void;
  readonly onClose: () => void;
}

/** The dialog of pages/create, which uses the pickers itself; app.tsx provides it. Null: nothing is created in place. */
export const CreateDialogContext = createContext<ComponentType<CreateDialogProps> | null>(null);

const NONE: readonly Option[] = [];

export interface CreateInPlace {
  /** For Picker: what can be created by the typed text. */
  readonly creates: (text: string) => readonly Option[];
  readonly dialog: ReactNode;
}

/** `kinds` is a constant of its module. */
export function useCreateInPlace(
  kinds: readonly CreatableKind[],
  onCreated: (made: CreatedRecord) => void,
): CreateInPlace {
  const { t } = useWords();
  const CreateDialog = useContext(CreateDialogContext);
  // Before the lists are there, Enter on the name of what exists would create another one.
  const isRead = useRecordsByKind(kinds).lists.every(({ state }) => state !== 'loading');
  const [making, setMaking] = useState<{ readonly kind: CreatableKind; readonly name: string } | null>(null);
  const close = useCallback(() => setMaking(null), []);
  const creates = useMemo(
    () =>
      (text: string): readonly Option[] =>
        CreateDialog === null || !isRead
          ? NONE
          : kinds.map((kind) => ({
              value: `create ${kind}`,
              label: t('kit.create', { kind: t(`kit.kind.${kind}`), name: text === '' ? '…' : text }),
              group: t('kit.create.group'),
              act: (name: string) => setMaking({ kind, name }),
            })),
    [kinds, t, CreateDialog, isRead],
  );
  // In the frame: the picker may be inside a form, and the dialog has one of its own.
  const dialog =
    making &&
    CreateDialog &&
    createPortal(
      <Suspense fallback={null}>
        <CreateDialog
          {...making}
          onClose={close}
          onCreated={(made) => {
            close();
            onCreated(made);
          }}
        />
      </Suspense>,
      document.querySelector('.shell') ?? document.body,
    );
  return { creates, dialog };
}

export const referenceOfCreated = ({ kind, id }: CreatedRecord): string =>
  referenceText(KINDS[kind].word ?? kind, id);
