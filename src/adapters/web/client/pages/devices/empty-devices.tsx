import { useQuery } from '@tanstack/react-query';
import { explanationQuery, parsedTextQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { FirstMachine } from '#console/pages/enrolment/first-machine.tsx';
import { ExplainView } from '#console/pages/explain/explain-tree.tsx';
import { leastMatched } from '#console/pages/explain/flatten-tree.ts';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import card from '#console/parts/layout/card.module.css';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import styles from './devices-page.module.css';
import { describeNode } from './filter/describe-condition.ts';

export interface EmptyDevicesProps {
  readonly q: string;
  readonly orgId: string | null;
}

export function EmptyDevices(props: EmptyDevicesProps) {
  return (
    <div className={`${card.card} ${styles.empty}`}>
      {props.q.trim() === '' ? (
        <>
          <h2>{words.devices.noneYet}</h2>
          <FirstMachine />
        </>
      ) : (
        <NoneMatch {...props} />
      )}
    </div>
  );
}

export function UnreadableFilter({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className={`${card.card} ${styles.empty}`}>
      <h2>{words.devices.unreadable}</h2>
      <p>{words.devices.mend}</p>
      <div>
        <Button onPress={onClear}>{words.devices.showAll}</Button>
      </div>
    </div>
  );
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

interface WhatRulesOutProps {
  readonly conditions: ConditionJson;
  readonly orgId: string | null;
}

function WhatRulesOut({ conditions, orgId }: WhatRulesOutProps) {
  const asked = { json: JSON.stringify(conditions), orgId };
  const { data: explanation } = useQuery(explanationQuery(useApi(), asked, null));
  const { nameOf } = useOrganizations();
  const least = explanation === undefined ? null : leastMatched(conditions, explanation.nodes);
  return (
    least !== null && (
      <p>
        <code>{describeNode(least.node, nameOf)}</code>{' '}
        {words.devices.matchesAlone(least.count, explanation?.sample !== undefined)}
      </p>
    )
  );
}
