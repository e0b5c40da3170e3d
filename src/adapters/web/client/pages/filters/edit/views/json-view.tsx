import { useId } from 'react';
import { words } from '#console/app/words.ts';
import type { PathFault } from '#console/pages/filters/tree/node-notes.ts';
import styles from './json-view.module.css';

export interface JsonViewProps {
  readonly content: string;
  readonly faults: readonly PathFault[];
  readonly onChange: (content: string) => void;
}

/** Faults that are said. */
const SAID = 10;

/** The filter as the API takes it, with the faults that the API would find. */
export function JsonView({ content, faults, onChange }: JsonViewProps) {
  const id = useId();
  return (
    <div className={styles.view}>
      <label className={styles.label} htmlFor={id}>
        {words.filters.json}
      </label>
      <textarea
        id={id}
        className={styles.input}
        spellCheck={false}
        autoCapitalize="off"
        aria-invalid={faults.length > 0}
        aria-describedby={`${id}-hint`}
        rows={Math.min(28, Math.max(8, content.split('\n').length + 1))}
        value={content}
        onChange={(event) => onChange(event.target.value)}
      />
      <div id={`${id}-hint`}>
        {faults.length === 0 ? (
          <p className={styles.hint}>{words.filters.jsonHint}</p>
        ) : (
          <ul className={styles.faults} role="alert">
            {faults.slice(0, SAID).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path !== '' && <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
