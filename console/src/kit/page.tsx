import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** No margins, and as high as the window, as for the map. */
  readonly full?: boolean;
  readonly children: ReactNode;
}

/** The frame of one page. Its title is also the document's. */
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
