import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parsedTextQuery } from '#console/api/filters/filter-text.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ExplainView } from '#console/pages/explain/explain-view.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import styles from './empty-devices.module.css';

export interface EmptyDevicesProps {
  readonly q: string;
  /** Null: all in reach. */
  readonly orgId: string | null;
}

/** Instead of an empty table: which condition rules the devices out, or how the first device comes in. */
export function EmptyDevices(props: EmptyDevicesProps) {
  return <div className={styles.empty}>{props.q.trim() === '' ? <NoneYet /> : <NoneMatch {...props} />}</div>;
}

function NoneMatch({ q, orgId }: EmptyDevicesProps) {
  const { data } = useQuery(parsedTextQuery(useApi(), q));
  return (
    <>
      <h2>{words.devices.noneMatch}</h2>
      {data !== undefined && (
        <>
          <p className="soft">{words.devices.ruledOut}</p>
          <ExplainView conditions={data.conditions} deviceId={null} orgId={orgId} />
        </>
      )}
    </>
  );
}

function NoneYet() {
  const [isCopied, setIsCopied] = useState(false);
  const command = `glpi-agent --server ${window.location.origin}/inventory`;
  return (
    <>
      <h2>{words.devices.noneYet}</h2>
      <p className="soft">{words.devices.noneYetText}</p>
      <p className={styles.command}>
        <code>{command}</code>
        <Button
          isCompact
          aria-label={words.devices.copyCommand}
          onPress={() => void navigator.clipboard.writeText(command).then(() => setIsCopied(true))}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
        </Button>
      </p>
    </>
  );
}
