import { useQuery } from '@tanstack/react-query';
import { explanationQuery, parsedTextQuery } from '#console/api/filters.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { FirstMachine } from '#console/pages/enrolment/first-machine.tsx';
import { ExplainView } from '#console/pages/explain/explain-tree.tsx';
import { leastMatched } from '#console/pages/explain/flatten-tree.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import styles from './devices-page.module.css';
import { describeNode } from './filter/describe-condition.ts';

export interface EmptyDevicesProps {
  readonly q: string;
  readonly orgId: string | null;
}

/** Replaces an empty table: says which condition rules devices out, or how to add the first device. */
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
          <WhatRulesOut conditions={data.conditions} orgId={orgId} />
          <p className="soft">{words.devices.ruledOut}</p>
          <ExplainView conditions={data.conditions} deviceId={null} orgId={orgId} />
        </>
      )}
    </>
  );
}

function WhatRulesOut({
  conditions,
  orgId,
}: {
  readonly conditions: ConditionJson;
  readonly orgId: string | null;
}) {
  const api = useApi();
  const asked = { json: JSON.stringify(conditions), orgId };
  const { data: explanation } = useQuery(explanationQuery(api, asked, null));
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  const least = explanation === undefined ? null : leastMatched(conditions, explanation.nodes);
  if (least === null) return null;
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  return (
    <p>
      <code>{describeNode(least.node, (id) => names.get(id))}</code> {words.devices.matchesAlone(least.count)}
    </p>
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
