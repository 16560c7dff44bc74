import { Page as Frame } from '../kit/page.tsx';
import { Loading } from '../kit/states.tsx';

export function Page() {
  return (
    <Frame title="…">
      <Loading />
    </Frame>
  );
}
