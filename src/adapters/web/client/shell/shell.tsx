/** What stands around every page: the way to others, the search, the person. */
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import { Banner } from './banner.tsx';
import { ConnectionLine } from './connection-line.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

export function Shell() {
  const [isDrawn, setIsDrawn] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);

  // Whoever uses a screen reader or the keyboard goes on from the new page, not from the link to it.
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        {words.shell.skip}
      </a>
      <Sidebar isDrawn={isDrawn} onLeave={() => setIsDrawn(false)} />
      {isDrawn && (
        <button
          type="button"
          className={styles.backdrop}
          aria-label={words.close}
          onClick={() => setIsDrawn(false)}
        />
      )}
      <div className={styles.body}>
        <Banner onDraw={() => setIsDrawn(true)} />
        <ConnectionLine />
        <main id="page" ref={main} tabIndex={-1} className={styles.main}>
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  );
}
