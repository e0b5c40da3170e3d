import { words } from '#console/app/words.ts';
import type { DeviceSelection } from './use-selection.ts';

interface SelectAllProps {
  readonly selection: DeviceSelection;
  readonly count: number;
}

/** The box above the others. */
export function SelectAll({ selection, count }: SelectAllProps) {
  const { isAll } = selection;
  return (
    <label>
      <input
        type="checkbox"
        ref={(box) => {
          if (box !== null) box.indeterminate = !isAll && selection.count > 0;
        }}
        checked={isAll}
        disabled={count === 0}
        aria-label={words.bulk.selectAll(count)}
        onChange={() => (isAll ? selection.clear() : selection.selectAll())}
      />
    </label>
  );
}
