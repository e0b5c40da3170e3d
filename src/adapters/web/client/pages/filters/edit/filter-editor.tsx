import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { MatchedDevice, SavedFilter } from '#console/api/filter-types.ts';
import { FILTERS_KEY, filterQuery } from '#console/api/filters.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { type DraftCondition, type DraftNode, toJson } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import { Button } from '#console/parts/button.tsx';
import { Dropdown } from '#console/parts/dropdown.tsx';
import { ErrorNotice, Notice } from '#console/parts/notice.tsx';
import { Page } from '#console/parts/page.tsx';
import { TextField } from '#console/parts/text-field.tsx';
import { type DraftContent, type SavedVersion, useFilterDraft, type View } from './filter-draft.ts';
import styles from './filter-editor.module.css';
import { LiveCount } from './live-count.tsx';
import { Matches } from './matches.tsx';
import { useEvaluation } from './use-evaluation.ts';
import type { Vocabulary } from './use-vocabulary.ts';
import { Views } from './views.tsx';
import { WhyPanel } from './why-panel.tsx';

export interface FilterEditorProps {
  /** Null for a filter that is new. */
  readonly saved: SavedVersion | null;
  readonly start: DraftContent;
  readonly storageKey: string;
  readonly vocabulary: Vocabulary;
  readonly view: View;
  readonly onView: (view: View) => void;
  /** Whether it was saved just before the page was opened. */
  readonly isJustSaved: boolean;
  /** Loads what is saved, in place of what is edited. */
  readonly onReload: () => Promise<void>;
}

type SaveMode = 'save' | 'copy' | 'overwrite';

/** A filter: what it is called, what it is made of, and what it matches as it is now. */
export function FilterEditor(props: FilterEditorProps) {
  const { saved, start, storageKey, vocabulary, view, onView, onReload } = props;
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const draft = useFilterDraft(storageKey, start, saved?.etag ?? null);
  const { content, change } = draft;
  const [device, setDevice] = useState<MatchedDevice | null>(null);
  const views = useRef<HTMLDivElement>(null);
  const [isChecked, setIsChecked] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [isSaved, setIsSaved] = useState(props.isJustSaved);
  const [fault, setFault] = useState<unknown>(null);
  const evaluation = useEvaluation({
    tree: content.tree,
    catalog: vocabulary.catalog,
    orgId: content.orgId,
    deviceId: device?.id ?? null,
    isChecked,
  });
  const { organizations } = vocabulary;
  const isSpread = organizations.length > 1;
  const isNarrowed = isSpread && content.orgId !== null;
  const faultAt = (path: string) =>
    fault instanceof ApiError ? (fault.errors.find((one) => one.path === path)?.message ?? null) : null;
  const isNameless = isChecked && content.name.trim() === '';
  const isHomeless = isChecked && isSpread && saved === null && content.orgId === null;
  const pending = content.written?.tree === null;
  const isFaulty =
    isChecked &&
    (pending || evaluation.unfinished > 0 || evaluation.state !== 'sound' || isNameless || isHomeless);

  function edit(changes: Partial<DraftContent>) {
    setIsSaved(false);
    change(changes);
  }

  async function save(mode: SaveMode) {
    setIsChecked(true);
    setIsSaved(false);
    setFault(null);
    const isSound = evaluation.state === 'sound' && evaluation.unfinished === 0 && !pending;
    const lacksOwner = isSpread && saved === null && content.orgId === null;
    if (!isSound || content.name.trim() === '' || lacksOwner) return;
    setIsSaving(true);
    try {
      if (saved === null || mode === 'copy') await create(mode);
      else await update(saved.filter, mode);
    } catch (error) {
      setFault(error);
    } finally {
      setIsSaving(false);
    }
  }

  async function create(mode: SaveMode) {
    const name = mode === 'copy' ? words.filters.copyOf(content.name) : content.name;
    const { data, etag } = await api.ask<SavedFilter>('/filters', {
      method: 'POST',
      body: { ...bodyOf(content), name, ...(content.orgId !== null && { orgId: content.orgId }) },
    });
    draft.forget();
    queries.setQueryData(filterQuery(api, data.id).queryKey, { data, etag });
    await queries.invalidateQueries({ queryKey: [...FILTERS_KEY, 'list'] });
    await navigate({
      to: '/filters/$id',
      params: { id: data.id },
      search: view === 'builder' ? {} : { tab: view },
      state: (state) => ({ ...state, isSaved: true }),
      replace: true,
    });
  }

  async function update({ id }: SavedFilter, mode: SaveMode) {
    const { data, etag } = await api.ask<SavedFilter>(`/filters/${id}`, {
      method: 'PATCH',
      body: bodyOf(content),
      headers: mode === 'overwrite' || draft.etag === null ? {} : { 'If-Match': draft.etag },
    });
    queries.setQueryData(filterQuery(api, id).queryKey, { data, etag });
    draft.settle({ filter: data, etag });
    setIsSaved(true);
    setIsChecked(false);
    await queries.invalidateQueries({ queryKey: [...FILTERS_KEY, 'list'] });
  }

  const isConflict = fault instanceof ApiError && fault.status === 412;
  const isGone = fault instanceof ApiError && fault.status === 404 && saved !== null;
  const title = content.name.trim() === '' ? words.filters.newTitle : content.name;
  return (
    <Page
      title={title}
      actions={
        <>
          <span role="status" className={styles.state}>
            {isSaved && !draft.isDirty ? words.filters.saved : draft.isDirty ? words.filters.unsaved : ''}
          </span>
          {draft.isDirty && (
            <Button
              kind="quiet"
              onPress={() => {
                setIsChecked(false);
                setFault(null);
                draft.discard();
              }}
            >
              {words.filters.discard}
            </Button>
          )}
          <Button kind="primary" isPending={isSaving} onPress={() => void save('save')}>
            {words.filters.save}
          </Button>
        </>
      }
    >
      {draft.isRestored && <Notice kind="info">{words.filters.restored}</Notice>}
      {isConflict || isGone ? (
        <Notice kind="error">
          <p>{isConflict ? words.filters.conflict : words.filters.gone}</p>
          <div className={styles.actions}>
            <Button onPress={() => void save('copy')}>{words.filters.saveCopy}</Button>
            {isConflict && <Button onPress={() => void save('overwrite')}>{words.filters.overwrite}</Button>}
            {isConflict && (
              <Button
                onPress={() => {
                  draft.forget();
                  void onReload();
                }}
              >
                {words.filters.loadTheirs}
              </Button>
            )}
          </div>
        </Notice>
      ) : (
        <ErrorNotice error={fault} />
      )}
      {isFaulty && <Notice kind="error">{words.filters.faulty}</Notice>}
      <div className={styles.fields}>
        <TextField
          label={words.filters.name}
          value={content.name}
          onChange={(name) => edit({ name })}
          autoFocus={saved === null && content.name === ''}
          error={isNameless ? words.filters.nameNeeded : faultAt('name')}
        />
        {isSpread && saved === null && (
          <div>
            <Dropdown
              label={words.filters.organization}
              value={content.orgId ?? ''}
              onChange={(orgId) => {
                // A device of another organization is none of its devices.
                setDevice(null);
                edit({ orgId: orgId === '' ? null : orgId });
              }}
              isInvalid={isHomeless}
            >
              <option value="">{words.filters.chooseOrganization}</option>
              {organizations.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Dropdown>
            {isHomeless && <p className={styles.error}>{words.filters.organizationNeeded}</p>}
          </div>
        )}
        {isSpread && saved !== null && (
          <p className={styles.owner}>
            <span>{words.filters.organization}</span>
            {organizations.find(({ id }) => id === saved.filter.orgId)?.name}
          </p>
        )}
        <div className={styles.description}>
          <TextField
            label={words.filters.description}
            isMultiline
            value={content.description}
            onChange={(description) => edit({ description })}
            error={faultAt('description')}
          />
        </div>
      </div>
      <div ref={views} className={styles.views}>
        <Views
          view={view}
          onView={onView}
          content={content}
          onChange={edit}
          onTree={(next) => edit({ tree: next(content.tree), written: null })}
          vocabulary={vocabulary}
          evaluation={evaluation}
        />
      </div>
      <LiveCount evaluation={evaluation} isPending={pending} isNarrowed={isNarrowed} />
      {evaluation.state !== 'nothing' && (
        <>
          <Matches
            found={evaluation.matches}
            isOld={evaluation.isOld}
            organizations={isSpread ? new Map(organizations.map(({ id, name }) => [id, name])) : null}
            hint={hintOf(content.tree, evaluation.notes, vocabulary)}
            onWhy={(chosen) => {
              setDevice(chosen);
              onView('builder');
              views.current?.scrollIntoView({ block: 'start' });
            }}
          />
          <WhyPanel
            device={device}
            orgId={content.orgId}
            onChange={setDevice}
            explanation={device === null || evaluation.isOld ? undefined : evaluation.explanation}
            error={device === null ? null : evaluation.explanationError}
            onShow={view === 'builder' ? null : () => onView('builder')}
          />
        </>
      )}
    </Page>
  );
}

function bodyOf({ name, description, tree }: DraftContent): object {
  return { name, description: description === '' ? null : description, conditions: toJson(tree) };
}

/** Of the conditions of the whole, the one that matches fewest devices by itself: the first to look at. */
function hintOf(tree: DraftNode, notes: NodeNotes, { catalog }: Vocabulary): string | null {
  const rarest = conditionsOf(tree)
    .flatMap((condition) => {
      const note = notes.get(condition.id);
      return note === undefined ? [] : [{ condition, count: note.count }];
    })
    .toSorted((a, b) => a.count - b.count)[0];
  if (rarest === undefined) return null;
  const entry = catalog.get(rarest.condition.field);
  const label = entry?.kind === 'field' ? entry.field.label : rarest.condition.field;
  return words.filters.rarest(label, rarest.count);
}

function conditionsOf(node: DraftNode): readonly DraftCondition[] {
  if (node.kind === 'condition') return [node];
  return node.kind === 'group' ? node.members.flatMap(conditionsOf) : [];
}
