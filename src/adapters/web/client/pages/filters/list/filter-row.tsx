import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import { FilterMenu, type FilterMenuProps } from '#console/pages/filters/filter-menu.tsx';
import { textOrJson } from '#console/pages/filters/tree/draft-text.ts';
import { Time } from '#console/parts/display/time.tsx';
import { FilterCount } from './filter-count.tsx';
import styles from './filters-page.module.css';

export interface FilterRowProps extends Omit<FilterMenuProps, 'isInList'> {
  readonly owner: string | null;
}

export function FilterRow({ owner, ...menu }: FilterRowProps) {
  const { filter, catalog } = menu;
  const row = useRef<HTMLTableRowElement>(null);
  const isSeen = useIsSeen(row);
  const { id, name, description, conditions, updatedAt } = filter;
  const { creator = null } = filter;
  const text = isSeen ? textOrJson(conditions, catalog) : '';
  return (
    <tr ref={row}>
      <td className={`cut ${styles.name}`}>
        <Link to="/filters/$id" params={{ id }} title={description ?? name}>
          {name}
        </Link>
        {/* For narrow screens, which hide the owner column. */}
        {owner !== null && <span className={`cut ${styles.owner}`}>{owner}</span>}
      </td>
      {owner !== null && <td className={`cut ${styles.wide}`}>{owner}</td>}
      <td className={styles.number}>
        <FilterCount
          filter={filter}
          isSeen={isSeen}
          orgId={menu.orgId}
          devices={{ conditions, catalog, orgId: owner === null ? null : filter.orgId }}
        />
      </td>
      <td className={`cut ${styles.conditions} ${styles.wide}`}>
        <code title={text}>{text}</code>
      </td>
      <td className={`cut ${styles.wide}`}>
        {creator === null ? <span title={words.filters.unknownCreator}>—</span> : creator.name}
      </td>
      <td className={`cut ${styles.wide}`}>
        <Time at={updatedAt} />
      </td>
      <td className={styles.menu}>
        <FilterMenu {...menu} isInList />
      </td>
    </tr>
  );
}

/** Stays true once the element has come close to the visible area. */
function useIsSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (isSeen || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen, element]);
  return isSeen;
}
