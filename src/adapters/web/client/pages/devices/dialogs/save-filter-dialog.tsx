import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { parsedTextQuery } from '#console/api/filters/filter-text.ts';
import { organizationsQuery } from '#console/api/fleet/organizations.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { SaveFault } from '#console/pages/filters/toast.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import styles from './dialogs.module.css';

export interface SaveFilterDialogProps {
  readonly q: string;
  /** The organization that the list is narrowed to. */
  readonly orgId: string | null;
  readonly onClose: () => void;
}

interface SavedFilter {
  readonly id: string;
  readonly name: string;
}

/** Gives the filter of the list a name, by which it can be used from then on. */
export function SaveFilterDialog({ q, orgId, onClose }: SaveFilterDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { data: known } = useQuery(organizationsQuery(api));
  const organizations = known ?? [];
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [owner, setOwner] = useState(orgId);
  const [fault, setFault] = useState<unknown>(null);
  const [isSending, setIsSending] = useState(false);
  const [saved, setSaved] = useState<SavedFilter | null>(null);
  const [isChecked, setIsChecked] = useState(false);
  // Whose it is says who sees it, and which devices it has: of several, nobody else can know.
  const owningId = owner ?? (organizations.length === 1 ? (organizations[0]?.id ?? null) : null);
  const isHomeless = isChecked && organizations.length > 1 && owningId === null;

  async function save() {
    setIsChecked(true);
    if (organizations.length > 1 && owningId === null) return;
    if (known?.length === 0) return setFault(new Error(words.filters.noOrganization));
    setIsSending(true);
    setFault(null);
    try {
      const { conditions } = await queries.fetchQuery(parsedTextQuery(api, q));
      const body = {
        name,
        conditions,
        ...(description !== '' && { description }),
        ...(owningId !== null && { orgId: owningId }),
      };
      setSaved(await api.call<SavedFilter>('/filters', { method: 'POST', body }));
      await queries.invalidateQueries({ queryKey: ['filters'] });
    } catch (error) {
      setFault(error);
    } finally {
      setIsSending(false);
    }
  }

  if (q.trim() === '' || saved !== null) {
    return (
      <Dialog title={words.devices.save} isOpen onClose={onClose}>
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
    <Dialog
      title={words.devices.save}
      isOpen
      onClose={onClose}
      isPersistent={name !== '' || description !== ''}
    >
      <Form className="stack" onSubmit={save}>
        <div>
          <p>{words.devices.saveText}</p>
          <code className={styles.text}>{q}</code>
        </div>
        <TextField
          label={words.devices.saveName}
          value={name}
          onChange={setName}
          error={faultOf(fault, 'name')}
          isRequired
          autoFocus
        />
        <TextField
          label={words.devices.saveDescription}
          value={description}
          onChange={setDescription}
          error={faultOf(fault, 'description')}
          isMultiline
        />
        {organizations.length > 1 && (
          <Dropdown
            label={words.devices.saveOrganization}
            value={owningId ?? ''}
            onChange={(chosen) => setOwner(chosen === '' ? null : chosen)}
            error={isHomeless ? words.filters.organizationNeeded : null}
          >
            <option value="">{words.filters.chooseOrganization}</option>
            {organizations.map((organization) => (
              <option key={organization.id} value={organization.id}>
                {organization.name}
              </option>
            ))}
          </Dropdown>
        )}
        <SaveFault error={fault} />
        <DialogActions>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isPending={isSending}>
            {words.devices.saveSubmit}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function faultOf(fault: unknown, path: string): string | null {
  const errors = fault instanceof ApiError ? fault.errors : [];
  return errors.find((one) => one.path === path)?.message ?? null;
}
