import type { ReactNode } from 'react';
import styles from './simple-table.module.css';

export interface SimpleTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table that is shown whole, in the order in which its rows come. */
export function SimpleTable({ label, heads, rows }: SimpleTableProps) {
  return (
    <div className={styles.frame}>
      <table aria-label={label} className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else that tells them apart, and no state.
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={heads[column]}>{cell ?? <span className="soft">—</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
