import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatText, parsedTextQuery } from '#console/api/filter-text.ts';
import { organizationsQuery } from '#console/api/organizations.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/icon.tsx';
import { ErrorNotice } from '#console/parts/notice.tsx';
import { describeNode, membersOf } from './describe-condition.ts';
import styles from './filter-chips.module.css';

export interface FilterChipsProps {
  /** A text without faults. */
  readonly q: string;
  readonly onChange: (q: string) => void;
}

/** The outermost conditions of the filter, each of which can be taken away. */
export function FilterChips({ q, onChange }: FilterChipsProps) {
  const api = useApi();
  const [fault, setFault] = useState<unknown>(null);
  const { data } = useQuery({ ...parsedTextQuery(api, q), enabled: q.trim() !== '' });
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  if (data === undefined || q.trim() === '') return null;
  const { operator } = data.conditions;
  const members = membersOf(data.conditions);
  const names = new Map(organizations.map(({ id, name }) => [id, name]));

  async function remove(index: number) {
    const rest = members.filter((_, i) => i !== index);
    try {
      onChange(rest.length === 0 ? '' : await formatText(api, { operator, conditions: rest }));
      setFault(null);
    } catch (error) {
      setFault(error);
    }
  }

  return (
    <>
      <ul aria-label={words.devices.chips} className={styles.chips}>
        {members.map((member, i) => {
          const text = describeNode(member, (id) => names.get(id));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two can read the same, and none has a state.
            <li key={`${i} ${text}`}>
              {operator === 'OR' && i > 0 && <span className={styles.joint}>{words.devices.any}</span>}
              <span className={styles.chip}>
                <span title={text}>{text}</span>
                <button type="button" aria-label={words.devices.remove(text)} onClick={() => void remove(i)}>
                  <Icon name="close" />
                </button>
              </span>
            </li>
          );
        })}
      </ul>
      <ErrorNotice error={fault} />
    </>
  );
}
