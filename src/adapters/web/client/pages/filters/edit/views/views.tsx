import { type ReactNode, useMemo } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { Builder } from '#console/pages/filters/edit/builder/builder.tsx';
import {
  type Changes,
  type DraftContent,
  type FilterDraft,
  type FilterTab,
  isSavedTab,
  SAVED_TABS,
  type SavedTab,
  VIEWS,
  type View,
} from '#console/pages/filters/edit/draft/filter-draft.ts';
import type { Evaluation } from '#console/pages/filters/edit/matches/use-evaluation.ts';
import { draftOfText, draftOfTyped, textOfConditions } from '#console/pages/filters/tree/draft-text.ts';
import {
  type DraftGroup,
  emptyGroup,
  levelsOf,
  MAX_LEVELS,
  toDraft,
  toEvaluable,
  toJson,
} from '#console/pages/filters/tree/draft-tree.ts';
import tabs from '#console/pages/tabs.module.css';
import { Button } from '#console/parts/actions/button.tsx';
import { isUnfinished } from '#console/parts/condition/condition-value.ts';
import { type PathFault, readConditions } from '#console/parts/condition/read-conditions.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { ok } from '#domain/result.ts';
import styles from './views.module.css';
import { JsonView, TextView } from './written-views.tsx';

export interface ViewsProps {
  readonly tab: FilterTab;
  readonly onTab: (tab: FilterTab) => void;
  /** Tabs that only a saved filter has; null for a new filter. */
  readonly savedTabs: Readonly<Record<SavedTab, ReactNode>> | null;
  readonly content: DraftContent;
  readonly onChange: (changes: Changes) => void;
  readonly vocabulary: Vocabulary;
  readonly evaluation: Evaluation;
  readonly steps: Pick<FilterDraft, 'undo' | 'redo'>;
}

export function Views(props: ViewsProps) {
  const { tab, onTab, savedTabs, content, onChange, vocabulary, evaluation } = props;
  const view = isSavedTab(tab) ? null : tab;
  const shownTabs: readonly FilterTab[] = savedTabs === null ? VIEWS : [...VIEWS, ...SAVED_TABS];
  const { tree, written } = content;
  const { catalog, resolveName } = vocabulary;
  const isShown = (one: View) => written?.view === one && (written.tree === null || written.tree === tree);
  const text = useMemo(
    () => (view === 'text' ? textOfTree(tree, vocabulary) : null),
    [view, tree, vocabulary],
  );
  const pending = written?.tree === null ? written.view : null;

  const write = (to: 'text' | 'json', next: string, read: DraftGroup | null) =>
    onChange({ written: { view: to, content: next, tree: read }, ...(read !== null && { tree: read }) });

  function writeText(next: string) {
    const blank = next.trim() === '';
    const read = blank ? ok(emptyGroup('AND')) : draftOfTyped(next, catalog, resolveName);
    write('text', next, read.ok ? read.value : null);
  }

  const textContent = isShown('text') ? (written?.content ?? '') : text;
  const isTyped = written?.view === 'text' && written.tree === null;
  const textFaults = useMemo(() => {
    if (textContent === null || textContent.trim() === '') return [];
    const readText = isTyped ? draftOfTyped : draftOfText;
    const read = readText(textContent, catalog, resolveName);
    return read.ok ? [] : read.error;
  }, [textContent, isTyped, catalog, resolveName]);

  return (
    <Tabs
      className={`stack ${styles.tabs}`}
      selectedKey={tab}
      onSelectionChange={(key) => onTab(shownTabs.find((one) => one === key) ?? 'builder')}
    >
      <div className={styles.head}>
        <TabList className={tabs.list} aria-label={words.filters.views}>
          {shownTabs.map((one) => (
            <Tab key={one} id={one} className={tabs.tab}>
              {words.filters.tabs[one]}
            </Tab>
          ))}
        </TabList>
        {view !== null && <UndoButtons {...props.steps} />}
      </div>
      <TabPanel key={tab} id={tab} className="stack">
        {isSavedTab(tab) && savedTabs?.[tab]}
        {view !== null && pending !== null && pending !== view && (
          <Notice kind="warning">
            <p>{pending === 'text' ? words.filters.pendingText : words.filters.pendingJson}</p>
            <div className={styles.actions}>
              <Button isCompact onPress={() => onTab(pending)}>
                {words.filters.backToIt}
              </Button>
              <Button isCompact onPress={() => onChange({ written: null })}>
                {words.filters.dropIt}
              </Button>
            </div>
          </Notice>
        )}
        <div inert={pending !== null && pending !== view} className={styles.content}>
          {view === 'builder' && (
            <div data-counting={evaluation.isOld || undefined}>
              <Builder
                tree={tree}
                vocabulary={vocabulary}
                notes={evaluation.notes}
                faults={evaluation.nodeFaults}
                onTree={(update) => onChange((before) => ({ tree: update(before.tree), written: null }))}
                openText={() => onTab('text')}
              />
            </div>
          )}
          {view === 'text' &&
            (textContent === null ? (
              <Notice kind="info">
                {evaluation.unfinished > 0
                  ? words.filters.textUnfinished(evaluation.unfinished)
                  : words.filters.textFaulty}
              </Notice>
            ) : (
              <TextView content={textContent} faults={textFaults} catalog={catalog} onChange={writeText} />
            ))}
          {view === 'json' && (
            <JsonView
              content={isShown('json') ? (written?.content ?? '') : JSON.stringify(toJson(tree), null, 2)}
              faults={jsonFaults(isShown('json') ? (written?.content ?? null) : null, props)}
              onChange={(next) => write('json', next, draftOfJson(next))}
            />
          )}
        </div>
      </TabPanel>
    </Tabs>
  );
}

function UndoButtons({ undo, redo }: ViewsProps['steps']) {
  return (
    <div className={styles.steps}>
      <Button
        kind="quiet"
        isCompact
        aria-label={words.filters.undoStep}
        isDisabled={undo === null}
        onPress={() => undo?.()}
      >
        <Icon name="undo" />
      </Button>
      <Button
        kind="quiet"
        isCompact
        aria-label={words.filters.redoStep}
        isDisabled={redo === null}
        onPress={() => redo?.()}
      >
        <Icon name="redo" />
      </Button>
    </div>
  );
}

/** Empty if no condition is finished. Null if text cannot express the filter. */
function textOfTree(tree: DraftGroup, { catalog }: Vocabulary): string | null {
  return toEvaluable(tree, isUnfinished) === null ? '' : textOfConditions(toJson(tree), catalog);
}

function draftOfJson(content: string): DraftGroup | null {
  try {
    return toDraft(JSON.parse(content));
  } catch {
    return null;
  }
}

function jsonFaults(content: string | null, { vocabulary, evaluation }: ViewsProps): readonly PathFault[] {
  if (content === null) return evaluation.faults;
  try {
    const json = JSON.parse(content);
    const levels = levelsOf(json);
    if (levels > MAX_LEVELS) return [{ path: '', message: words.filters.tooDeep(levels, MAX_LEVELS) }];
    const read = readConditions(json, vocabulary.catalog);
    return read.ok ? [] : read.error;
  } catch (error) {
    return [{ path: '', message: words.filters.notJson((error as Error).message) }];
  }
}
