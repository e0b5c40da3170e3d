import { useEffect, useState } from 'react';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { Button } from './button.tsx';
import styles from './copy-button.module.css';

export interface CopyButtonProps {
  readonly text: string;
  /** What it copies, as in "Copy the key". */
  readonly label: string;
  readonly isCompact?: boolean;
}

const SAYS_SO_MS = 2_000;

export function CopyButton({ text, label, isCompact = false }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');

  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), SAYS_SO_MS);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    // Without TLS, browsers have no clipboard.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setState(isCopied === true ? 'copied' : 'failed');
  }

  return (
    <>
      <Button isCompact={isCompact} onPress={() => void copy()}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {state === 'copied' ? words.copied : state === 'failed' ? words.copyFailed : label}
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'copied' ? words.copied : state === 'failed' ? words.copyFailed : ''}
      </span>
    </>
  );
}

interface CopyableTextProps {
  readonly text: string;
  /** What it copies, as in "Copy the key". */
  readonly label: string;
}

/** A key or command with a copy button. */
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
