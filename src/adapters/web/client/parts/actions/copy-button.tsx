import { useEffect, useState } from 'react';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { Button } from './button.tsx';
import styles from './copy-button.module.css';

export interface CopyButtonProps {
  readonly text: string;
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

  const copy = async () => setState((await copyText(text)) ? 'copied' : 'failed');
  const outcome = state === 'copied' ? words.copied : state === 'failed' ? words.copyFailed : null;

  return (
    <>
      <Button isCompact={isCompact} onPress={() => void copy()}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {outcome ?? label}
      </Button>
      <span role="status" className="visually-hidden">
        {outcome}
      </span>
    </>
  );
}

/** Returns whether the text was copied. Browsers have no clipboard without TLS. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

export function CopyableText({ text, label }: Omit<CopyButtonProps, 'isCompact'>) {
  return (
    <>
      <code className={styles.text}>{text}</code>
      <div>
        <CopyButton text={text} label={label} />
      </div>
    </>
  );
}
