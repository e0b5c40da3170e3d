import styles from './marked.module.css';
import { placeOf } from './match.ts';

/** A title with what was searched for marked in it. */
export function Marked({ title, text }: { readonly title: string; readonly text: string }) {
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
