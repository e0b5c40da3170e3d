import { words } from '#console/app/words.ts';
import { DateEditor } from './date-editor.tsx';
import { NumberEditor } from './number-editor.tsx';
import styles from './pair-editor.module.css';
import type { TextEditorProps } from './text-editor.tsx';

export interface RangeEditorProps extends TextEditorProps {
  readonly of: 'number' | 'date';
}

/** Two ends, both within. */
export function RangeEditor({ label, of, value, isInvalid, describedBy, onChange }: RangeEditorProps) {
  const { from, to } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const shared = { isInvalid, describedBy };
  const Editor = of === 'date' ? DateEditor : NumberEditor;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in one line in every browser.
    <div role="group" aria-label={label} className={styles.pair}>
      <Editor
        {...shared}
        label={words.filters.from}
        value={from}
        onChange={(next) => onChange({ from: next, to })}
      />
      <span className={styles.and}>{words.filters.and}</span>
      <Editor
        {...shared}
        label={words.filters.to}
        value={to}
        onChange={(next) => onChange({ from, to: next })}
      />
    </div>
  );
}
