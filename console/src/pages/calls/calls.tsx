import { useRoute } from '../../router.tsx';
import { CallList } from './call-list.tsx';
import './calls.css';
import { OneCall } from './one-call.tsx';

export function Page() {
  const [, id] = useRoute().parts;
  return id === undefined ? <CallList /> : <OneCall key={id} id={id} />;
}
