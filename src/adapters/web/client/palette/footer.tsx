import { words } from '#console/app/words.ts';
import { ShowKeys } from '#console/keys/show-keys.tsx';
import styles from './footer.module.css';

/** The keys of the palette. */
export function Footer({ isDevice }: { readonly isDevice: boolean }) {
  const { hints } = words.palette;
  const shown = [
    ['Enter', hints.open],
    ['mod+Enter', hints.newTab],
    ...(isDevice ? [['mod+c', hints.copy] as const] : []),
    ['>', hints.commands],
    ['#', hints.filters],
    ['@', hints.organizations],
  ] as const;
  return (
    <div className={styles.footer} aria-hidden="true">
      {shown.map(([keys, hint]) => (
        <span key={keys} className={styles.hint}>
          <ShowKeys keys={keys} /> {hint}
        </span>
      ))}
    </div>
  );
}
