import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FilterVersion } from '#adapters/http/api-types.ts';
import { FILTERS_KEY, versionsQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { describeLeaf } from '#console/pages/devices/filter/describe-condition.ts';
import { isGroup } from '#console/pages/explain/flatten-tree.ts';
import type { SavedVersion } from '#console/pages/filters/edit/draft/filter-draft.ts';
import { useGuarded } from '#console/pages/filters/edit/guard/use-guarded.tsx';
import { useNames } from '#console/pages/lists/use-organizations.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Pending } from '#console/parts/feedback/pending.tsx';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { compareTrees } from './compare-trees.ts';
import styles from './filter-history.module.css';

export interface FilterHistoryProps {
  readonly saved: SavedVersion;
  /** Why restoring is impossible now; null if it is possible. */
  readonly obstacle: string | null;
  readonly onRestored: () => void;
}

export function FilterHistory({ saved, obstacle, onRestored }: FilterHistoryProps) {
  const api = useApi();
  const queries = useQueryClient();
  const restoring = useSending();
  const guarded = useGuarded(words.filters.guard.restore);
  const { id } = saved.data;
  const query = useQuery(versionsQuery(api, id, saved.etag));
  const { data: versions } = query;
  const [open, setOpen] = useState<number | null>(null);
  if (versions === undefined) return <Pending query={query} />;

  const restore = (version: number) =>
    restoring.send(async () => {
      const restored = await guarded.send((confirmed) =>
        api.ask(`/filters/${id}/restore`, {
          method: 'POST',
          body: { version, ...confirmed },
          headers: saved.etag === null ? {} : { 'If-Match': saved.etag },
        }),
      );
      if (restored === null) return;
      await queries.invalidateQueries({ queryKey: [...FILTERS_KEY, 'list'] });
      onRestored();
    });

  return (
    <div className="stack">
      <ErrorNotice error={restoring.fault} />
      {guarded.dialog}
      <ol className={styles.versions} aria-label={words.filters.history.versions}>
        {versions.map((version, i) => (
          <li key={version.version}>
            <div className={`row ${styles.head}`}>
              <button
                type="button"
                className={styles.toggle}
                aria-expanded={open === version.version}
                onClick={() => setOpen(open === version.version ? null : version.version)}
              >
                <Icon name={open === version.version ? 'down' : 'chevron'} />
                <strong>{words.filters.history.version(version.version)}</strong>
              </button>
              <span className="soft">
                <Time at={version.at} />
                {version.by !== null && ` · ${version.by.name}`}
                {` · ${summaryOf(version, versions[i + 1])}`}
              </span>
              {i > 0 && (
                <Button
                  isCompact
                  isDisabled={obstacle !== null}
                  isPending={restoring.isSending}
                  aria-label={words.filters.history.restoreVersion(version.version)}
                  onPress={() => void restore(version.version)}
                >
                  {words.filters.history.restore}
                </Button>
              )}
              {i === 0 && <span className={styles.now}>{words.filters.history.current}</span>}
            </div>
            {open === version.version && <Comparison version={version} versions={versions} />}
          </li>
        ))}
      </ol>
      {obstacle !== null && versions.length > 1 && <p className="soft">{obstacle}</p>}
    </div>
  );
}

function summaryOf(version: FilterVersion, before: FilterVersion | undefined): string {
  if (before === undefined) {
    return version.version === 1 ? words.filters.history.created : words.filters.history.oldest;
  }
  const parts = [
    ...(version.name === before.name ? [] : [words.filters.parts.name]),
    ...(version.description === before.description ? [] : [words.filters.parts.description]),
    ...(isSameTree(version, before) ? [] : [words.filters.parts.tree]),
  ];
  return parts.join(', ');
}

const isSameTree = (one: FilterVersion, other: FilterVersion) =>
  JSON.stringify(one.conditions) === JSON.stringify(other.conditions);

interface ComparisonProps {
  readonly version: FilterVersion;
  readonly versions: readonly FilterVersion[];
}

function Comparison({ version, versions }: ComparisonProps) {
  const others = versions.filter((one) => one !== version);
  const preceding = others.find((one) => one.version < version.version) ?? others[0];
  const [chosen, setChosen] = useState(preceding?.version);
  const other = others.find((one) => one.version === chosen) ?? version;
  return (
    <div className={styles.comparison}>
      {others.length > 0 && (
        <Dropdown
          label={words.filters.history.comparedWith}
          value={String(other.version)}
          onChange={(value) => setChosen(Number(value))}
        >
          {others.map((one) => (
            <option key={one.version} value={one.version}>
              {words.filters.history.version(one.version)}
            </option>
          ))}
        </Dropdown>
      )}
      <Texts part="name" before={other.name} after={version.name} />
      <Texts part="description" before={other.description ?? ''} after={version.description ?? ''} />
      <TreeDifference before={other} after={version} />
    </div>
  );
}

interface TextsProps {
  readonly part: 'name' | 'description';
  readonly before: string;
  readonly after: string;
}

function Texts({ part, before, after }: TextsProps) {
  if (before === after) return null;
  return (
    <p>
      {words.filters.parts[part]}: <del>{before === '' ? '—' : before}</del>{' '}
      <ins>{after === '' ? '—' : after}</ins>
    </p>
  );
}

const MAX_INDENT = 8;

function TreeDifference({
  before,
  after,
}: {
  readonly before: FilterVersion;
  readonly after: FilterVersion;
}) {
  const nameOf = useNames(true);
  return (
    <ul className={styles.tree} aria-label={words.filters.history.difference}>
      {compareTrees(before.conditions, after.conditions).map(({ node, level, change }, i) => {
        const text = isGroup(node) ? words.devices.match[node.operator] : describeLeaf(node, nameOf);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the comparison of two versions never changes.
          <li key={i} style={{ paddingInlineStart: `${Math.min(level, MAX_INDENT) * 20}px` }}>
            <span className={styles.mark} role="img" aria-label={words.filters.history.marks[change]}>
              {MARKS[change]}
            </span>
            {change === 'added' ? <ins>{text}</ins> : change === 'removed' ? <del>{text}</del> : text}
          </li>
        );
      })}
    </ul>
  );
}

const MARKS = { same: ' ', added: '+', removed: '−' } as const;
