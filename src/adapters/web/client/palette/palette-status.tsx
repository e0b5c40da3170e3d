import { isOffline } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { messageOf } from '#console/parts/feedback/notice.tsx';
import styles from './palette-status.module.css';

export interface PaletteStatusProps {
  readonly isSearching: boolean;
  readonly error: unknown;
  /** Rows that are shown. */
  readonly count: number;
  readonly text: string;
  /** What was just done. */
  readonly said: string | null;
}

/** How the search goes, in words; if there are rows, only for screen readers. */
export function PaletteStatus(props: PaletteStatusProps) {
  const { error, count, said } = props;
  const isShown = count === 0 || error !== null || said !== null;
  return (
    <p role="status" className={isShown ? styles.status : 'visually-hidden'}>
      {statusOf(props)}
    </p>
  );
}

function statusOf({ isSearching, error, count, text, said }: PaletteStatusProps): string {
  if (said !== null) return said;
  if (error !== null) return isOffline(error) ? words.palette.noConnection : messageOf(error);
  if (isSearching) return words.palette.searching;
  if (count > 0) return text === '' ? '' : words.palette.counted(count);
  return text === '' ? words.palette.nothingYet : words.palette.nothing(text);
}
