import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** The map and its like: no margins, as high as the window. */
  readonly full?: boolean;
  readonly children: ReactNode;
}

/** The frame of one page. The title is also the tab's. */
export function Page({ title, intro, actions, full = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Dialtree`;
  }, [title]);
  return (
    <div className={full ? 'page page-full' : 'page'}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {intro && <p className="page-intro">{intro}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
