import { createContext, type ReactNode, useContext, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** No margins, and as high as the window, as for the map. */
  readonly full?: boolean;
  readonly children: ReactNode;
}

/** Whether what would be a page is shown within another one, which has the heading and the way back. */
export const Embedded = createContext(false);

/** The frame of one page. Its title is also the document's. */
export function Page({ title, intro, actions, full = false, children }: PageProps) {
  const embedded = useContext(Embedded);
  useEffect(() => {
    if (!embedded) document.title = `${title} · Dialtree`;
  }, [title, embedded]);
  if (embedded)
    return (
      <div className="embedded">
        {actions && <div className="page-actions">{actions}</div>}
        {children}
      </div>
    );
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
