import { type PointerEvent, useEffect, useRef } from 'react';
import { words } from '#console/app/words.ts';
import { ShowKeys } from '#console/keys/show-keys.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import type { Row, RowGroup } from './found-rows.ts';
import { placeOf } from './match.ts';
import styles from './palette-list.module.css';

export interface PaletteListProps {
  readonly id: string;
  readonly groups: readonly RowGroup[];
  readonly text: string;
  readonly chosenId: string | null;
  readonly onChoose: (id: string) => void;
  readonly onOpen: (row: Row, inNewTab: boolean) => void;
}

export function PaletteList({ id, groups, text, chosenId, onChoose, onOpen }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the position of the chosen row depends on the rows.
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected="true"]');
    // The first row scrolls its heading into view too.
    const first = list.current?.querySelector('[role="option"]');
    if (chosen === first) list.current?.scrollTo({ top: 0 });
    else chosen?.scrollIntoView({ block: 'nearest' });
  }, [chosenId, groups]);

  // A row that appears under a resting pointer must not be chosen.
  const moved = ({ movementX, movementY }: PointerEvent, row: Row) => {
    if (movementX !== 0 || movementY !== 0) onChoose(row.id);
  };

  return (
    <div ref={list} id={id} role="listbox" aria-label={words.palette.results} className={styles.list}>
      {groups.map(({ title, rows }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields; these are options.
        <div key={title} role="group" aria-labelledby={`${id}-group-${index}`}>
          <div id={`${id}-group-${index}`} className={styles.heading} aria-hidden="true">
            {title}
          </div>
          {rows.map((row) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
            <div
              key={row.id}
              id={`${id}-${row.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={row.id === chosenId}
              className={styles.row}
              onPointerMove={(event) => moved(event, row)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => onOpen(row, event.ctrlKey || event.metaKey)}
              onAuxClick={(event) => {
                if (event.button === 1) onOpen(row, true);
              }}
            >
              <Icon name={row.icon} />
              <span className={`cut ${styles.title}`}>
                <Marked title={row.title} text={text} />
              </span>
              {row.context !== undefined && row.context !== '' && (
                <span className={`cut ${styles.context}`}>
                  <Marked title={row.context} text={text} />
                </span>
              )}
              {row.keys !== undefined && (
                <span className={styles.rowKeys} aria-hidden="true">
                  <ShowKeys keys={row.keys} />
                </span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Marked({ title, text }: { readonly title: string; readonly text: string }) {
  const place = placeOf(text, title);
  if (place === null) return title;
  const { start, end } = place;
  return (
    <>
      {title.slice(0, start)}
      <mark className={styles.mark}>{title.slice(start, end)}</mark>
      {title.slice(end)}
    </>
  );
}
