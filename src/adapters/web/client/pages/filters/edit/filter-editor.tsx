import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { FilterMenu } from '#console/pages/filters/filter-menu.tsx';
import { useOwners } from '#console/pages/filters/owners.ts';
import { useNarrow } from '#console/pages/lists/toolbar.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Toast } from '#console/parts/feedback/toast.tsx';
import { usePassing } from '#console/parts/hooks/use-passing.ts';
import { Page } from '#console/parts/layout/page.tsx';
import { ConflictNotice, GoneNotice } from './draft/conflict-notice.tsx';
import {
  type Changes,
  type DraftContent,
  type FilterTab,
  isSavedTab,
  type SavedVersion,
  useFilterDraft,
} from './draft/filter-draft.ts';
import { useSaving } from './draft/use-saving.ts';
import styles from './filter-editor.module.css';
import { FilterFields, SaveFault } from './filter-fields.tsx';
import { FilterHistory } from './history/filter-history.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { LiveTab } from './live/live-tab.tsx';
import { Results } from './matches/results.tsx';
import { useEvaluation } from './matches/use-evaluation.ts';
import { UsedBy } from './used/used-by.tsx';
import { Views } from './views/views.tsx';

export interface FilterEditorProps {
  readonly saved: SavedVersion | null;
  readonly start: DraftContent;
  readonly storageKey: string;
  readonly vocabulary: Vocabulary;
  readonly tab: FilterTab;
  readonly isJustSaved: boolean;
  readonly onReload: () => Promise<void>;
}

export function FilterEditor(props: FilterEditorProps) {
  const { saved, start, storageKey, onReload } = props;
  const tab = saved === null && isSavedTab(props.tab) ? 'builder' : props.tab;
  const navigate = useNavigate();
  const narrow = useNarrow();
  const onTab = (chosen: FilterTab) => narrow({ tab: chosen === 'builder' ? undefined : chosen });
  const draft = useFilterDraft(storageKey, start, saved?.etag ?? null);
  const { content, change } = draft;
  const owners = useOwners();
  const { orgId, partnerId } = content;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `owners` is a new object on every render.
  const vocabulary = useMemo(() => {
    const filters = props.vocabulary.filters.filter(
      (filter) => filter.id !== saved?.data.id && owners.mayName({ orgId, partnerId }, filter),
    );
    return { ...props.vocabulary, filters };
  }, [props.vocabulary, orgId, partnerId, saved?.data.id]);
  /** True if the user can only save a copy of the filter. */
  const isForeign = saved !== null && !owners.mayChange(saved.data);
  const isNew = saved === null || isForeign;
  const saving = useSaving({
    saved: saved?.data ?? null,
    draft,
    isJustSaved: props.isJustSaved,
  });
  const [device, setDevice] = useState<DeviceRow | null>(null);
  const [said, setSaid] = usePassing<string>();
  const [isChecked, setIsChecked] = useState(false);
  const evaluation = useEvaluation({
    // Deferred, because checking hundreds of conditions would delay typing.
    tree: useDeferredValue(content.tree),
    catalog: vocabulary.catalog,
    orgId: content.orgId,
    orgIds: owners.orgIdsOf(content),
    deviceId: device?.id ?? null,
    isChecked,
  });
  const isHomeless = isNew && vocabulary.organizations.length === 0;
  const pending = content.written?.tree === null;
  const lacksName = content.name.trim() === '';
  const lacksOwner = isNew && content.orgId === null && content.partnerId === null;
  const isSound = !pending && evaluation.unfinished === 0 && evaluation.state === 'sound';
  const isFaulty = isChecked && (!isSound || lacksName || lacksOwner);
  const send = () => (isForeign ? saving.saveCopy(content) : saving.save(content));
  const title = lacksName ? words.filters.newTitle : content.name;

  function edit(changes: Changes) {
    setSaid(null);
    change(changes);
  }

  async function save(send: () => Promise<SavedVersion | null>): Promise<SavedVersion | null> {
    setIsChecked(true);
    if (!isSound || lacksName || lacksOwner || isHomeless) return null;
    const version = await send();
    if (version !== null) setIsChecked(false);
    return version;
  }

  async function saveAndShow(send: () => Promise<SavedVersion | null>) {
    const version = await save(send);
    if (version === null || version.data.id === saved?.data.id) return;
    await navigate({
      to: '/filters/$id',
      params: { id: version.data.id },
      search: tab === 'builder' ? {} : { tab },
      state: (state) => ({ ...state, isSaved: true }),
      replace: true,
    });
  }

  return (
    <Page
      title={title}
      actions={
        <>
          <span role="status" className={styles.state}>
            {draft.isDirty ? words.filters.unsaved : saving.isSaved ? words.filters.saved : ''}
          </span>
          {draft.isDirty && (
            <Button
              kind="quiet"
              onPress={() => {
                setIsChecked(false);
                saving.forget();
                draft.discard();
                setSaid(words.filters.discarded);
              }}
            >
              {words.filters.discard}
            </Button>
          )}
          <Button kind="primary" isPending={saving.isSaving} onPress={() => void saveAndShow(send)}>
            {isForeign ? words.filters.saveCopy : words.filters.save}
          </Button>
          {saved !== null && (
            <FilterMenu
              filter={saved.data}
              catalog={vocabulary.catalog}
              isInList={false}
              orgId={null}
              onDelete={
                isForeign
                  ? null
                  : () => {
                      draft.forget();
                      void navigate({ to: '/filters', state: { deletedId: saved.data.id } });
                    }
              }
              onSay={setSaid}
            />
          )}
        </>
      }
    >
      {saving.dialog}
      <LeaveDialog name={title} isAtRisk={draft.isAtRisk} onSave={async () => (await save(send)) !== null} />
      {saved?.data.creator != null && (
        <p className="soft">{words.filters.createdBy(saved.data.creator.name)}</p>
      )}
      {draft.isRestored && <Notice kind="info">{words.filters.restored}</Notice>}
      {saving.theirs !== null && (
        <ConflictNotice
          base={draft.base}
          theirs={saving.theirs}
          mine={content}
          catalog={vocabulary.catalog}
          onOverwrite={(next) => void save(() => saving.overwrite(next))}
          onCopy={() => void saveAndShow(() => saving.saveCopy(content))}
          onLoad={() => {
            draft.forget();
            void onReload();
          }}
        />
      )}
      {saving.isGone && <GoneNotice onCopy={() => void saveAndShow(() => saving.saveCopy(content))} />}
      <SaveFault error={saving.fault} />
      {isForeign && <Notice kind="info">{words.filters.notYours(owners.titleOf(saved.data))}</Notice>}
      {isFaulty && <Notice kind="error">{words.filters.faulty}</Notice>}
      {isChecked && isHomeless && <Notice kind="error">{words.filters.noOrganization}</Notice>}
      <FilterFields
        content={content}
        owner={isNew ? null : saved.data}
        owners={owners}
        isChecked={isChecked}
        fault={saving.fault}
        onChange={(changes) => {
          // The device may be outside the new owner's organizations.
          if (changes.orgId !== undefined || changes.partnerId !== undefined) setDevice(null);
          edit(changes);
        }}
      />
      {evaluation.isTooBig && <Notice kind="info">{words.filters.tooMany}</Notice>}
      <div className={styles.views}>
        <Views
          tab={tab}
          onTab={onTab}
          savedTabs={
            saved === null
              ? null
              : {
                  live: <LiveTab filter={saved.data} onSay={setSaid} />,
                  used: <UsedBy saved={saved} />,
                  history: (
                    <FilterHistory
                      saved={saved}
                      obstacle={
                        isForeign
                          ? words.filters.history.notYours
                          : draft.isDirty
                            ? words.filters.history.saveFirst
                            : null
                      }
                      onRestored={() => {
                        draft.forget();
                        void onReload();
                      }}
                    />
                  ),
                }
          }
          content={content}
          onChange={edit}
          vocabulary={vocabulary}
          evaluation={evaluation}
          steps={draft}
        />
      </div>
      {!isSavedTab(tab) && (
        <Results
          content={content}
          vocabulary={vocabulary}
          evaluation={evaluation}
          isSound={isSound}
          changed={!isForeign && draft.isDirty && isSound ? saved : null}
          device={device}
          onDevice={setDevice}
        />
      )}
      <Toast>{said}</Toast>
    </Page>
  );
}
