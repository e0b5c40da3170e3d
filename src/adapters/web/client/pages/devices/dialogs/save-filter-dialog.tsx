import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { deviceCountQuery } from '#console/api/devices.ts';
import { parsedTextQuery, within } from '#console/api/filters.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { OwnerField, SaveFault } from '#console/pages/filters/edit/filter-fields.tsx';
import { type OwnerIds, useOwners } from '#console/pages/filters/owners.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import styles from './dialogs.module.css';

export interface SaveFilterDialogProps {
  readonly q: string;
  readonly orgId: string | null;
  readonly count: number;
  readonly onClose: () => void;
}

export function SaveFilterDialog({ q, orgId, count, onClose }: SaveFilterDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { data: organizations } = useQuery(organizationsQuery(api));
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<OwnerIds>({ orgId, partnerId: null });
  const owners = useOwners();
  const sending = useSending();
  const [saved, setSaved] = useState<SavedFilter | null>(null);
  const [isChecked, setIsChecked] = useState(false);
  // Preselects the only organization. With several, the user has to choose.
  const owner =
    chosen.partnerId === null ? { orgId: chosen.orgId ?? owners.onlyOrgId, partnerId: null } : chosen;
  const covered = organizations?.find(
    ({ id, partnerId }) => id === owner.orgId || partnerId === owner.partnerId,
  );
  const orgIds = owners.orgIdsOf(owner);
  const isCountable = covered !== undefined && q.trim() !== '';
  const parsed = useQuery({ ...parsedTextQuery(api, q), enabled: isCountable });
  const wanted = { conditions: within(parsed.data?.conditions, orgIds) };
  const counted = useQuery({
    ...deviceCountQuery(api, wanted, owner.orgId),
    enabled: isCountable && parsed.data !== undefined,
  });
  const matched = counted.data;
  const isCounting = parsed.isLoading || counted.isLoading;
  const isHomeless = organizations?.length !== 0 && owner.orgId === null && owner.partnerId === null;

  async function save() {
    setIsChecked(true);
    if (isHomeless || isCounting) return;
    await sending.send(async () => {
      if (organizations?.length === 0) throw new Error(words.filters.noOrganization);
      const { conditions } = await queries.fetchQuery(parsedTextQuery(api, q));
      const body = {
        name,
        conditions,
        ...(description !== '' && { description }),
        ...(owner.orgId !== null && { orgId: owner.orgId }),
        ...(owner.partnerId !== null && { partnerId: owner.partnerId }),
      };
      setSaved(await api.call<SavedFilter>('/filters', { method: 'POST', body }));
      await queries.invalidateQueries({ queryKey: ['filters'] });
    });
  }

  if (q.trim() === '' || saved !== null) {
    return (
      <Dialog title={words.devices.save} onClose={onClose}>
        {saved === null ? (
          <p>{words.devices.saveNothing}</p>
        ) : (
          <Notice kind="success">
            {words.devices.saved(saved.name)}{' '}
            <Link to={`/filters/${saved.id}` as '/'} search={{}}>
              {words.devices.savedOpen}
            </Link>
          </Notice>
        )}
        <DialogActions>
          <Button autoFocus onPress={onClose}>
            {words.close}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.devices.save}
      submit={words.devices.saveSubmit}
      sending={{ ...sending, isSending: sending.isSending || isCounting }}
      isFaultShown
      onSubmit={save}
      onClose={onClose}
      isPersistent={name !== '' || description !== ''}
    >
      <div>
        <p aria-live="polite">
          {covered === undefined
            ? words.devices.saveText
            : owner.orgId === null
              ? words.devices.saveForAll(covered.partnerName)
              : words.devices.saveFor(covered.name)}{' '}
          {matched !== undefined
            ? words.devices.saveMatches(matched, count)
            : isCounting && words.devices.saveCounting}
        </p>
        <code className={styles.text}>{q}</code>
      </div>
      <TextField
        label={words.devices.saveName}
        value={name}
        onChange={setName}
        error={faultAt(sending.fault, 'name')}
        isRequired
        autoFocus
      />
      <TextField
        label={words.devices.saveDescription}
        value={description}
        onChange={setDescription}
        error={faultAt(sending.fault, 'description')}
        isMultiline
      />
      {Object.keys(owners.choices).length > 1 && (
        <OwnerField owners={owners} owner={owner} isMissing={isChecked && isHomeless} onChange={setChosen} />
      )}
      {owner.partnerId !== null && <p className="soft">{words.filters.whoSees}</p>}
      {matched === 0 && count > 0 && <Notice kind="warning">{words.devices.saveFindsNone}</Notice>}
      <SaveFault error={sending.fault} />
    </FormDialog>
  );
}
