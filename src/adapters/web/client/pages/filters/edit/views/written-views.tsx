import { useId, useRef } from 'react';
import { words } from '#console/app/words.ts';
import type { DraftFault } from '#console/pages/filters/tree/draft-text.ts';
import type { PathFault } from '#console/parts/condition/read-conditions.ts';
import field from '#console/parts/fields/text-field.module.css';
import { FaultList } from '#console/parts/filter-text/fault-list.tsx';
import { FilterTextInput } from '#console/parts/filter-text/filter-text-input.tsx';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import styles from './views.module.css';

export interface TextViewProps {
  readonly content: string;
  readonly faults: readonly DraftFault[];
  readonly catalog: FieldCatalog;
  readonly onChange: (content: string) => void;
}

const PAUSE_MS = 600;

const NO_FAULTS: readonly DraftFault[] = [];

export function TextView({ content, faults, catalog, onChange }: TextViewProps) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  // Faults show after a pause, because a half-typed word is not a fault.
  const settled = useDebounced(content, PAUSE_MS);
  const shown = settled === content ? faults : NO_FAULTS;
  return (
    <div className={field.field}>
      <span className={field.label} aria-hidden="true">
        {words.filters.text}
      </span>
      <FilterTextInput
        label={words.filters.text}
        isMultiline
        text={content}
        onText={onChange}
        faults={shown}
        catalog={catalog}
        describedBy={shown.length === 0 ? `${id}-hint` : `${id}-faults`}
        inputRef={input}
      />
      <FaultList
        id={`${id}-faults`}
        faults={shown}
        text={content}
        onMend={(mended) => {
          onChange(mended);
          input.current?.focus();
        }}
      />
      {shown.length === 0 && (
        <p id={`${id}-hint`} className="note">
          {words.filters.textHint}
        </p>
      )}
    </div>
  );
}

interface JsonViewProps {
  readonly content: string;
  readonly faults: readonly PathFault[];
  readonly onChange: (content: string) => void;
}

const SAID = 10;

export function JsonView({ content, faults, onChange }: JsonViewProps) {
  const id = useId();
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {words.filters.json}
      </label>
      <textarea
        id={id}
        className={`control ${field.input} ${styles.json}`}
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
          <p className="note">{words.filters.jsonHint}</p>
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
