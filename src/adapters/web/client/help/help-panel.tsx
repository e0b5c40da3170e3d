import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { words } from '#console/app/words.ts';
import { useKeyGroups } from '#console/keys/registry.ts';
import { ShowKeys } from '#console/keys/show-keys.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { helpFor } from './help-pages.ts';
import styles from './help-panel.module.css';

export interface HelpPanelProps {
  readonly onClose: () => void;
  readonly onOpenCard: () => void;
}

export function HelpPanel({ onClose, onOpenCard }: HelpPanelProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, paragraphs, examples = [] } = helpFor(path);
  const here = useKeyGroups().filter((group) => group.title !== words.keys.goTo);
  const keys = here.flatMap(({ bindings }) => bindings).filter((binding) => binding.title !== undefined);

  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      const isInside = panel.current?.contains(document.activeElement) ?? true;
      if ((isInside || document.activeElement === document.body) && before instanceof HTMLElement)
        before.focus();
    };
  }, []);

  return (
    <aside
      ref={panel}
      id="help"
      aria-label={words.shell.help}
      className={styles.panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button kind="quiet" isCompact aria-label={words.help.close} onPress={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {examples.length > 0 && (
        <ul className={styles.examples}>
          {examples.map(({ text, meaning }) => (
            <li key={text}>
              <Link to="/devices" search={{ q: text }}>
                <code>{text}</code>
              </Link>
              <span className="note">{meaning}</span>
            </li>
          ))}
        </ul>
      )}
      <h3>{words.help.keys}</h3>
      <dl>
        {keys.slice(0, MAX_KEYS).map((binding) => (
          <div key={binding.keys} className={styles.key}>
            <dt>{binding.title}</dt>
            <dd>
              <ShowKeys keys={binding.keys} />
            </dd>
          </div>
        ))}
      </dl>
      <div>
        <Button isCompact onPress={onOpenCard}>
          {words.help.allKeys}
        </Button>
      </div>
    </aside>
  );
}

const MAX_KEYS = 8;
