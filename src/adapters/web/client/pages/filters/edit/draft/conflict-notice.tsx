import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { compareVersions, mergeVersions } from './compare-versions.ts';
import styles from './conflict-notice.module.css';
import { contentOf, type DraftContent, type SavedVersion } from './filter-draft.ts';

export interface ConflictNoticeProps {
  readonly base: DraftContent | null;
  readonly theirs: SavedVersion;
  readonly mine: DraftContent;
  readonly catalog: FieldCatalog;
  /** Replaces the other person's version. */
  readonly onOverwrite: (content: DraftContent) => void;
  readonly onLoad: () => void;
  readonly onCopy: () => void;
}

export function GoneNotice({ onCopy }: { readonly onCopy: () => void }) {
  return (
    <Notice kind="error">
      <p>{words.filters.gone}</p>
      <div className="row">
        <Button onPress={onCopy}>{words.filters.saveCopy}</Button>
      </div>
    </Notice>
  );
}

export function ConflictNotice(props: ConflictNoticeProps) {
  const { base, theirs, mine, catalog, onOverwrite, onLoad, onCopy } = props;
  const content = contentOf(theirs.data);
  const differences = content === null ? [] : compareVersions({ base, theirs: content, mine }, catalog);
  const merged = content === null ? null : mergeVersions(differences, content, mine);
  const hasBoth = differences.some(({ changedBy }) => changedBy === 'them') && merged !== null;
  return (
    <Notice kind="error">
      <p>
        {words.filters.conflict} (<Time at={theirs.data.updatedAt} />)
      </p>
      {content !== null && differences.length === 0 && <p>{words.filters.sameChanges}</p>}
      {differences.length > 0 && (
        <dl className={styles.parts}>
          {differences.map(({ part, theirs: their, mine: own, changedBy }) => (
            <div key={part}>
              <dt>
                {words.filters.parts[part]} <span>{words.filters.changedBy[changedBy]}</span>
              </dt>
              <dd data-changed={changedBy !== 'me' || undefined}>
                <span>{words.filters.theirs}</span>
                <code>{their === '' ? '—' : their}</code>
              </dd>
              <dd data-changed={changedBy !== 'them' || undefined}>
                <span>{words.filters.mine}</span>
                <code>{own === '' ? '—' : own}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="row">
        {hasBoth && <Button onPress={() => onOverwrite(merged)}>{words.filters.keepBoth}</Button>}
        <Button onPress={() => onOverwrite(mine)}>{words.filters.overwrite}</Button>
        <Button onPress={onLoad}>{words.filters.loadTheirs}</Button>
        <Button onPress={onCopy}>{words.filters.saveCopy}</Button>
      </div>
    </Notice>
  );
}
