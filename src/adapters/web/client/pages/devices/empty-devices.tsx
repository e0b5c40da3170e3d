import { useQuery } from '@tanstack/react-query';
import { parsedTextQuery } from '#console/api/filters/filter-text.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { FirstMachine } from '#console/pages/enrolment/first-machine.tsx';
import { ExplainView } from '#console/pages/explain/explain-view.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
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
  const { data, error, refetch } = useQuery(parsedTextQuery(useApi(), q));
  return (
    <>
      <h2>{words.devices.noneMatch}</h2>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
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
  return (
    <>
      <h2>{words.devices.noneYet}</h2>
      <FirstMachine />
    </>
  );
}
