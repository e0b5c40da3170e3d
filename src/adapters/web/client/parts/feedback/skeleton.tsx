import styles from './skeleton.module.css';

/** A placeholder that appears after 150 ms. */
export function Skeleton({ width = '100%' }: { readonly width?: number | string }) {
  return <span className={styles.skeleton} style={{ width }} aria-hidden="true" />;
}
