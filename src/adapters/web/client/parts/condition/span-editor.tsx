import { words } from '#console/app/words.ts';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import { TIME_UNITS } from '#domain/filter/values/time-span.ts';
import { NumberEditor } from './number-editor.tsx';
import { Pair } from './pair.tsx';
import type { TextEditorProps } from './text-editor.tsx';

/** An amount of a unit of time. */
export function SpanEditor({ label, value, isInvalid, describedBy, onChange }: TextEditorProps) {
  const { amount, unit } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return (
    <Pair
      label={label}
      first={
        <NumberEditor
          label={words.filters.amount}
          value={amount}
          isInvalid={isInvalid}
          describedBy={describedBy}
          onChange={(next) => onChange({ amount: next, unit: unit ?? 'days' })}
        />
      }
      second={
        <Dropdown
          label={words.filters.unit}
          isLabelHidden
          value={String(unit ?? 'days')}
          onChange={(next) => onChange({ amount, unit: next })}
        >
          {!TIME_UNITS.some((one) => one === (unit ?? 'days')) && (
            <option value={String(unit)}>{String(unit)}</option>
          )}
          {TIME_UNITS.map((one) => (
            <option key={one} value={one}>
              {words.filters.units[one]}
            </option>
          ))}
        </Dropdown>
      }
    />
  );
}
