import styles from './skeleton.module.css';

/** Takes the place of a text that is still loading; it shows after 150 ms. */
export function Skeleton({ width = '100%' }: { readonly width?: number | string }) {
  return <span className={styles.skeleton} style={{ width }} aria-hidden="true" />;
}
