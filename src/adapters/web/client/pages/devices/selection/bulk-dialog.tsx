import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { CustomField } from '#adapters/http/api-types.ts';
import { type Chosen, changeDevices, type DeviceChange } from '#console/api/bulk.ts';
import { customFieldsQuery } from '#console/api/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { readDraft } from '#console/pages/device/custom-fields/custom-draft.ts';
import { KnownChips } from '#console/parts/condition/value-editor.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Progress } from '#console/parts/feedback/progress.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { Form, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, SubmitActions } from '#console/parts/layout/dialog.tsx';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { RecentChange } from './recent-changes.tsx';

export type BulkKind = 'tag' | 'field' | 'status';

export interface BulkDone {
  readonly text: string;
  /** Null if nothing was changed. */
  readonly change: RecentChange | null;
}

export interface BulkDialogProps {
  readonly kind: BulkKind;
  readonly chosen: Chosen;
  readonly count: number;
  readonly onClose: () => void;
  readonly onDone: (done: BulkDone) => void;
}

interface Draft {
  readonly addTags: readonly string[];
  readonly removeTags: readonly string[];
  readonly field: CustomField | null;
  readonly value: string;
  readonly status: keyof typeof words.bulk.statuses;
}

/** `describe` returns the text for the list of recent changes. */
type Written =
  | { readonly change: DeviceChange; readonly describe: (count: number) => string }
  | { readonly fault: string };

export function BulkDialog({ kind, chosen, count, onClose, onDone }: BulkDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  // The dialog shows `now`, even if `count` changes. Previously it showed `before`.
  const [{ before, now }, setCounts] = useState({ before: count, now: count });
  const [draft, setDraft] = useState<Draft>({
    ...{ addTags: [], removeTags: [], field: null, value: '', status: 'maintenance' },
  });
  const { isSending, fault, send, forget } = useSending();
  const edit = (changes: Partial<Draft>) => {
    forget();
    setDraft({ ...draft, ...changes });
  };

  const submit = () =>
    send(async () => {
      const written = WRITERS[kind](draft);
      if ('fault' in written) throw new Error(written.fault);
      try {
        const outcome = await changeDevices(api, queries, chosen, now, written.change);
        const { changed, unchanged, operationId } = outcome;
        const change = { operationId, text: written.describe(changed), at: Date.now() };
        onDone({ text: words.bulk.changed(changed, unchanged), change: changed === 0 ? null : change });
        onClose();
      } catch (error) {
        const actual = actualCountOf(error);
        if (actual !== null) setCounts({ before: now, now: actual });
        throw error;
      }
    });

  const isDecommissioning = kind === 'status' && draft.status === 'decommissioned';
  const title = isDecommissioning ? words.bulk.decommission(now) : words.bulk[kind](now);
  return (
    <Dialog title={title} onClose={onClose} isPersistent={isSending}>
      <Form className="stack" validationBehavior="aria" onSubmit={submit}>
        {EDITORS[kind]({ draft, edit })}
        {isDecommissioning && <Notice kind="warning">{words.bulk.decommissionText}</Notice>}
        {actualCountOf(fault) === null ? (
          <ErrorNotice error={fault} />
        ) : (
          <Notice kind="warning">{words.bulk.countChanged(now, before)}</Notice>
        )}
        {isSending && <Progress label={words.bulk.changing(now)} text={words.bulk.changing(now)} />}
        <SubmitActions
          submit={title}
          kind={isDecommissioning ? 'danger' : 'primary'}
          isSending={isSending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** The number of devices that match now, if it has changed. */
function actualCountOf(fault: unknown): number | null {
  return fault instanceof ApiError ? fault.actualCount : null;
}

const WRITERS: Readonly<Record<BulkKind, (draft: Draft) => Written>> = {
  tag: ({ addTags, removeTags }) =>
    addTags.length + removeTags.length === 0
      ? { fault: words.bulk.noTags }
      : {
          change: { addTags: [...addTags], removeTags: [...removeTags] },
          describe: (count) => words.bulk.didTag(count, addTags, removeTags),
        },
  field: ({ field, value }) => {
    if (field === null) return { fault: words.bulk.noFields };
    const read = readDraft(field, value);
    return read.ok
      ? {
          change: { custom: { [field.key]: read.value } },
          describe: (count) => words.bulk.didSetField(count, field.name),
        }
      : { fault: words.devicePage.refused(field.name, read.error) };
  },
  status: ({ status }) => ({
    change: { status },
    describe: (count) => words.bulk.didSetStatus(count, words.bulk.statuses[status]),
  }),
};

interface EditorProps {
  readonly draft: Draft;
  readonly edit: (changes: Partial<Draft>) => void;
}

const EDITORS: Readonly<Record<BulkKind, (props: EditorProps) => ReactNode>> = {
  tag: (props) => <TagEditor {...props} />,
  field: (props) => <CustomEditor {...props} />,
  status: ({ draft, edit }) => (
    <Dropdown label={words.bulk.newStatus} value={draft.status} onChange={(status) => edit({ status })}>
      {optionsOf(words.bulk.statuses)}
    </Dropdown>
  ),
};

function TagEditor({ draft, edit }: EditorProps) {
  const tags = CORE_CATALOG.get('tags');
  if (tags?.kind !== 'field') return null;
  return (['addTags', 'removeTags'] as const).map((member) => (
    <div key={member} className="stack">
      <strong>{words.bulk[member]}</strong>
      <KnownChips
        field={tags.field}
        label={words.bulk[member]}
        values={draft[member]}
        onChange={(values) => edit({ [member]: values })}
        placeholder={words.bulk.tagPlaceholder}
        hasFocusAtFirst={member === 'addTags'}
      />
    </div>
  ));
}

function CustomEditor({ draft: { field, value }, edit }: EditorProps) {
  const { data, error } = useQuery(customFieldsQuery(useApi()));
  const fields = [...new Map((data ?? []).map((one) => [one.key, one])).values()];
  const [first] = fields;
  useEffect(() => {
    if (field === null && first !== undefined) edit({ field: first });
  });
  if (data !== undefined && first === undefined) return <p>{words.bulk.noFields}</p>;
  if (field === null) return <ErrorNotice error={error} />;
  const choices = choicesOf(field);
  return (
    <>
      <Dropdown
        label={words.bulk.custom}
        value={field.key}
        onChange={(key) => edit({ field: fields.find((one) => one.key === key) ?? field, value: '' })}
      >
        {optionsOf(Object.fromEntries(fields.map(({ key, name }) => [key, name])))}
      </Dropdown>
      {choices !== null ? (
        <Dropdown label={words.bulk.value} value={value} onChange={(next) => edit({ value: next })}>
          <option value="">{words.bulk.noValue}</option>
          {optionsOf(choices)}
        </Dropdown>
      ) : (
        <TextField
          label={words.bulk.value}
          value={value}
          onChange={(next) => edit({ value: next })}
          hint={words.bulk.valueHint}
          {...(field.type === 'number' && { inputMode: 'decimal' })}
          {...(field.type === 'date' && { type: 'date' })}
          autoComplete="off"
        />
      )}
    </>
  );
}

function choicesOf({ type, choices = [] }: CustomField): Readonly<Record<string, string>> | null {
  if (type === 'boolean') return { true: words.devicePage.yes, false: words.devicePage.no };
  return type === 'dropdown' ? Object.fromEntries((choices ?? []).map((choice) => [choice, choice])) : null;
}
