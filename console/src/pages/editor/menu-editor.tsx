// Stands in until the editor is there.
import type { IvrDraft } from './draft.ts';

interface MenuEditorProps {
  readonly id: string | null;
  readonly onClose: () => void;
  readonly onDraft?: (draft: IvrDraft | null) => void;
}

export function MenuEditor({ id }: MenuEditorProps) {
  return <p>{id}</p>;
}
