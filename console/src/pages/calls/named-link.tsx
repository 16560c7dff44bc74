import { useNames } from '../../data/names.ts';
import { Link } from '../../router.tsx';

export function NamedLink({ reference }: { readonly reference: string }) {
  const { name, to } = useNames()(reference);
  return to === null ? <bdi>{name}</bdi> : <Link to={to}>{name}</Link>;
}
