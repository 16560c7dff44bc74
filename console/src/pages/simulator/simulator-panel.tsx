// Stands in until the simulator is there.
import type { IvrDraft } from '../editor/draft.ts';

interface SimulatorPanelProps {
  readonly entry: string;
  readonly draft: IvrDraft | null;
  readonly onPath: (path: {
    readonly visited: readonly string[];
    readonly current: string | null;
    readonly edges: readonly { readonly from: string; readonly label: string }[];
  }) => void;
  readonly replay?: string;
  readonly onClose: () => void;
}

export function SimulatorPanel({ entry }: SimulatorPanelProps) {
  return <p>{entry}</p>;
}
