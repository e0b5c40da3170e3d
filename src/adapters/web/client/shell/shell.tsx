import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import { useVisits } from '#console/palette/recents.ts';
import { useLazyPart } from '#console/parts/hooks/use-lazy-part.ts';
import { Banner, ConnectionLine } from './banner.tsx';
import { OrganizationGuard } from './organization/organization-switcher.tsx';
import styles from './shell.module.css';
import { useShellKeys } from './shell-keys.ts';
import { Sidebar } from './sidebar.tsx';

const loadPalette = () => import('#console/palette/palette.tsx').then(({ Palette }) => Palette);
const loadCard = () => import('#console/keys/shortcuts-card.tsx').then(({ ShortcutsCard }) => ShortcutsCard);
const loadSignOut = () => import('./sign-out.tsx').then(({ SignOut }) => SignOut);
const loadHelp = () => import('#console/help/help-panel.tsx').then(({ HelpPanel }) => HelpPanel);

export function Shell() {
  const [isDrawn, setIsDrawn] = useState(false);
  const [typedAhead, setTypedAhead] = useState('');
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  const palette = useLazyPart('palette', loadPalette);
  const card = useLazyPart('shortcuts', loadCard);
  const help = useLazyPart('help', loadHelp);
  const signOut = useLazyPart('sign-out', loadSignOut);
  useVisits();

  const openPalette = () => {
    setTypedAhead('');
    palette.open();
  };
  const toggleHelp = () => (help.isOpen ? help.close() : help.open());
  useShellKeys({ openPalette, openCard: card.open, toggleHelp, closeHelp: help.close });

  useEffect(() => {
    let stop: (() => void) | null = null;
    // If the file cannot be loaded, the browser handles the focus.
    const begin = import('./keep-focus.ts').then(
      ({ keepFocus }) => {
        if (main.current !== null) stop = keepFocus(main.current);
      },
      () => undefined,
    );
    return () => void begin.then(() => stop?.());
  }, []);

  // Screen readers and keyboard users continue at the new page.
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
        <Banner
          onDraw={() => setIsDrawn(true)}
          searchProps={{ ...palette.buttonProps, onPress: openPalette }}
          helpProps={help.buttonProps}
          onSignOut={signOut.open}
        />
        <ConnectionLine />
        <main id="page" ref={main} tabIndex={-1} className={styles.main}>
          <OrganizationGuard>
            <Suspense>
              <Outlet />
            </Suspense>
          </OrganizationGuard>
        </main>
      </div>
      {help.Part !== null && <help.Part onClose={help.close} onOpenCard={card.open} />}
      {signOut.Part !== null && <signOut.Part onClose={signOut.close} />}
      {card.Part !== null && <card.Part onClose={card.close} />}
      {palette.isOpen && palette.Part === null && <KeepTyping onType={setTypedAhead} />}
      {palette.Part !== null && (
        <palette.Part
          typed={typedAhead}
          shell={{ openCard: card.open, toggleHelp, signOut: signOut.open }}
          onClose={palette.close}
        />
      )}
    </div>
  );
}

/** Collects what is typed while the palette loads. */
function KeepTyping({ onType }: { readonly onType: (typed: string) => void }) {
  useEffect(() => {
    let typed = '';
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.isComposing) return;
      if (event.key === 'Backspace') typed = typed.slice(0, -1);
      else if ([...event.key].length === 1) typed += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
      onType(typed);
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => window.removeEventListener('keydown', keep, { capture: true });
  }, [onType]);
  return null;
}
