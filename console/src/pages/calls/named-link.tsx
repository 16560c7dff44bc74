import { useNames } from '../../data/names.ts';
import { Link } from '../../router.tsx';

interface NamedLinkProps {
  readonly reference: string;
  /** What it was called at the time, for a record that no longer exists. */
  readonly former?: string | undefined;
}

export function NamedLink({ reference, former }: NamedLinkProps) {
  const { name, to, missing } = useNames()(reference);
  return to === null ? <bdi>{missing ? (former ?? name) : name}</bdi> : <Link to={to}>{name}</Link>;
}
