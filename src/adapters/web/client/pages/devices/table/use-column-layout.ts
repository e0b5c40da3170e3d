import { useState } from 'react';
import { useUser } from '#console/app/user.ts';
import { USUAL_COLUMNS } from './columns.tsx';
import type { ColumnWidths } from './lay-out-columns.ts';

export interface ColumnLayout {
  readonly ids: readonly string[];
  readonly widths: ColumnWidths;
}

const USUAL: ColumnLayout = { ids: USUAL_COLUMNS, widths: {} };

export const LEAST_WIDTH = 48;
export const GREATEST_WIDTH = 1_200;

/** Stored in the browser for each user. */
export function useColumnLayout() {
  const { id } = useUser();
  const key = `fleetsift.columns.${id}`;
  const [layout, setLayout] = useState(() => read(key));
  return {
    layout,
    changeLayout: (changes: Partial<ColumnLayout>) =>
      setLayout((before) => {
        const after = { ...before, ...changes };
        try {
          localStorage.setItem(key, JSON.stringify(after));
        } catch {
          // Without storage, the layout lasts until the page is closed.
        }
        return after;
      }),
  };
}

/** Another version of the console may have written the stored layout. */
function read(key: string): ColumnLayout {
  try {
    const { ids, widths } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<ColumnLayout>;
    return {
      ids: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : USUAL.ids,
      widths: Object.fromEntries(
        Object.entries(widths ?? {}).filter(
          ([, width]) => Number.isFinite(width) && width >= LEAST_WIDTH && width <= GREATEST_WIDTH,
        ),
      ),
    };
  } catch {
    return USUAL;
  }
}

/** Escapes commas, which software titles may contain. */
export function printColumns(ids: readonly string[]): string | undefined {
  const text = ids.map((id) => id.replace(/[%,]/g, encodeURIComponent)).join(',');
  return text === USUAL_COLUMNS.join(',') ? undefined : text;
}

export function parseColumns(text: string): readonly string[] {
  return text.split(',').map((id) => id.replace(/%25|%2C/g, decodeURIComponent));
}
