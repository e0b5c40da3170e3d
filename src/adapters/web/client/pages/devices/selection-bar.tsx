import type { DeviceRow } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { quoteWhereNeeded } from '#domain/filter/text/print/quote-text.ts';
import styles from './selection-bar.module.css';

export interface SelectionBarProps {
  /** By id. */
  readonly selected: ReadonlyMap<string, DeviceRow>;
  readonly onClear: () => void;
  readonly onFilter: (q: string) => void;
}

/** What can be done with the devices that are selected. */
export function SelectionBar({ selected, onClear, onFilter }: SelectionBarProps) {
  const names = [...selected.values()].map(({ hostname }) => hostname);
  const filter = `host:=${[...new Set(names)].map((name) => quoteWhereNeeded(name, 'element')).join(',')}`;
  return (
    <div className={styles.bar}>
      <strong role="status">{words.devices.selected(selected.size)}</strong>
      <CopyButton text={names.join('\n')} label={words.devices.copyNames} />
      <Button onPress={() => onFilter(filter)}>{words.devices.onlyThese}</Button>
      <Button kind="quiet" onPress={onClear}>
        {words.devices.clearSelection}
      </Button>
    </div>
  );
}
