import { useId } from 'react';
import { words } from '#console/app/words.ts';
import type { DraftFault } from '#console/pages/filters/tree/draft-text.ts';
import { Button } from '#console/parts/button.tsx';
import styles from './text-view.module.css';

export interface TextViewProps {
  readonly content: string;
  readonly faults: readonly DraftFault[];
  readonly onChange: (content: string) => void;
}

/** The filter as text, with what is wrong underlined where it stands and said below. */
export function TextView({ content, faults, onChange }: TextViewProps) {
  const id = useId();
  return (
    <div className={styles.view}>
      <label className={styles.label} htmlFor={id}>
        {words.filters.text}
      </label>
      <div className={styles.stack}>
        <div className={styles.marks} aria-hidden="true">
          {markedPieces(content, faults)}{' '}
        </div>
        <textarea
          id={id}
          className={styles.input}
          rows={3}
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={faults.length > 0}
          aria-describedby={`${id}-hint`}
          value={content}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <div id={`${id}-hint`}>
        {faults.length === 0 ? (
          <p className={styles.hint}>{words.filters.textHint}</p>
        ) : (
          <ul className={styles.faults} role="alert">
            {faults.slice(0, SAID).map((fault) => (
              <li key={`${fault.start} ${fault.message}`}>
                {fault.message}
                {fault.suggestions.slice(0, PROPOSED).map((word) => (
                  <Button
                    key={word}
                    isCompact
                    onPress={() => onChange(content.slice(0, fault.start) + word + content.slice(fault.end))}
                  >
                    {words.filters.replaceBy(word)}
                  </Button>
                ))}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** Faults that are said, and words that are proposed for each. */
const SAID = 10;
const PROPOSED = 3;

/** The text in pieces, those of faults marked; where faults overlap, the first counts. */
function markedPieces(content: string, faults: readonly DraftFault[]) {
  const pieces: React.ReactNode[] = [];
  let at = 0;
  for (const { start, end } of faults) {
    if (start < at) continue;
    const until = Math.max(end, start + 1);
    pieces.push(content.slice(at, start), <mark key={start}>{content.slice(start, until) || ' '}</mark>);
    at = until;
  }
  pieces.push(content.slice(at));
  return pieces;
}
