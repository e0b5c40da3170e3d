import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import styles from './copyable-text.module.css';

export interface CopyableTextProps {
  readonly text: string;
  /** What it copies, as in "Copy the key". */
  readonly label: string;
}

/** A text to be used elsewhere as it is, such as a key or a command. */
export function CopyableText({ text, label }: CopyableTextProps) {
  return (
    <>
      <code className={styles.text}>{text}</code>
      <div>
        <CopyButton text={text} label={label} />
      </div>
    </>
  );
}
