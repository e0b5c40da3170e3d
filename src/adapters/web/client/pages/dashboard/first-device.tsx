import { useState } from 'react';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Card } from './card.tsx';
import styles from './first-device.module.css';

/** What to do where there are no devices yet. */
export function FirstDevice() {
  const [isCopied, setIsCopied] = useState(false);
  const command = words.dashboard.emptyCommand(window.location.origin);
  return (
    <Card title={words.dashboard.emptyTitle}>
      <p>{words.dashboard.emptyText}</p>
      <p className={styles.command}>
        <code>{command}</code>
        <Button
          isCompact
          onPress={() => void navigator.clipboard.writeText(command).then(() => setIsCopied(true))}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
          {isCopied ? words.dashboard.copied : words.dashboard.copy}
        </Button>
      </p>
    </Card>
  );
}
