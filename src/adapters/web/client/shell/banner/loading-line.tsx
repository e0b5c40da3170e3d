import { useRouterState } from '@tanstack/react-router';
import styles from './loading-line.module.css';

/** Says that another page is on its way, where that takes longer than a moment. */
export function LoadingLine() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' });
  return isPending && <div className={styles.line} aria-hidden="true" />;
}
