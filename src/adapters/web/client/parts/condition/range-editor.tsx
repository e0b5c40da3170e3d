import { words } from '#console/app/words.ts';
import { DateEditor } from './date-editor.tsx';
import { NumberEditor } from './number-editor.tsx';
import { Pair } from './pair.tsx';
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
    <Pair
      label={label}
      first={
        <Editor
          {...shared}
          label={words.filters.from}
          value={from}
          onChange={(next) => onChange({ from: next, to })}
        />
      }
      between={words.filters.and}
      second={
        <Editor
          {...shared}
          label={words.filters.to}
          value={to}
          onChange={(next) => onChange({ from, to: next })}
        />
      }
    />
  );
}
