import { ProgressBar } from 'react-aria-components';
import styles from './progress.module.css';

interface ProgressProps {
  readonly label: string;
  readonly text: string;
  /** Undefined if the progress is unknown. */
  readonly value?: number;
  readonly maxValue?: number;
}

export function Progress({ label, text, ...measure }: ProgressProps) {
  return (
    <ProgressBar
      {...measure}
      aria-label={label}
      valueLabel={text}
      isIndeterminate={measure.value === undefined}
      className={styles.progress ?? ''}
    >
      {({ percentage }) => (
        <>
          <span className={styles.track} data-running={percentage === undefined || undefined}>
            <span style={percentage === undefined ? undefined : { width: `${percentage}%` }} />
          </span>
          {text}
        </>
      )}
    </ProgressBar>
  );
}
