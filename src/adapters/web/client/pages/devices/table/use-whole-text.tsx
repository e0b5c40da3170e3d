import { type FocusEvent, useState } from 'react';
import styles from './device-table.module.css';

/** The full text of a truncated cell that has the focus. Pointer users get the cell's title. */
export function useWholeText() {
  const [shown, setShown] = useState<{
    readonly text: string;
    readonly x: number;
    readonly y: number;
  } | null>(null);
  return {
    onFocus: ({ target }: FocusEvent) => {
      const cell = target.closest('td');
      if (cell === null || !target.matches(':focus-visible') || !isCut(cell)) return setShown(null);
      const { left, bottom } = cell.getBoundingClientRect();
      setShown({ text: cell.innerText, x: Math.min(left, window.innerWidth - 340), y: bottom });
    },
    onBlur: () => setShown(null),
    node: shown !== null && (
      <div className={`floating ${styles.tip}`} style={{ left: Math.max(8, shown.x), top: shown.y }}>
        {shown.text}
      </div>
    ),
  };
}

function isCut(cell: HTMLElement): boolean {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getBoundingClientRect().right > cell.getBoundingClientRect().right - 4;
}
