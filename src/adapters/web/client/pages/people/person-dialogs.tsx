import { useState } from 'react';
import type { Person } from '#adapters/http/api-types.ts';
import type { ApiAnswer } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Checkbox } from '#console/parts/fields/checkbox.tsx';
import { Form, faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, SubmitActions } from '#console/parts/layout/dialog.tsx';
import type { Giver } from '#domain/access/rights.ts';
import { type AccessDraft, draftOf, faultsOf, toAccess } from './access-draft.ts';
import { AccessFields } from './access-fields.tsx';
import { usePersonChange } from './use-person-change.ts';

const said = words.people;

interface ChangeDialogProps {
  readonly read: ApiAnswer<Person>;
  readonly onChanged: (now: ApiAnswer<Person>) => void;
  readonly onClose: () => void;
}

export function RenameDialog({ read, onChanged, onClose }: ChangeDialogProps) {
  const changePerson = usePersonChange();
  const [name, setName] = useState(read.data.name);
  const [isChecked, setIsChecked] = useState(false);
  const { isSending, fault, send } = useSending();
  const nameFault = faultAt(fault, 'name');

  async function rename() {
    setIsChecked(true);
    if (name.trim() === '') return;
    await send(async () => onChanged(await changePerson(read, { name: name.trim() })));
  }

  return (
    <Dialog title={said.renameTitle} isOpen isPersistent onClose={onClose}>
      <Form className="stack" onSubmit={rename}>
        <TextField
          label={said.name}
          error={nameFault ?? (isChecked && name.trim() === '' ? said.nameMissing : null)}
          value={name}
          onChange={setName}
          autoComplete="off"
          autoFocus
        />
        {nameFault === null && <ErrorNotice error={fault} />}
        <SubmitActions submit={said.save} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

type AccessDialogProps = ChangeDialogProps & { readonly giver: Giver };

export function AccessDialog({ giver, read, onChanged, onClose }: AccessDialogProps) {
  const changePerson = usePersonChange();
  const [draft, setDraft] = useState<AccessDraft>(() => draftOf(read.data));
  const [isPlatformAdmin, setIsPlatformAdmin] = useState(read.data.isPlatformAdmin);
  const [isChecked, setIsChecked] = useState(false);
  const { isSending, fault, send } = useSending();
  const isMoved = draft.place !== draftOf(read.data).place;

  async function change() {
    setIsChecked(true);
    const faults = faultsOf(draft);
    if (faults.place !== null || faults.orgIds !== null) return;
    const access = { ...toAccess(draft), ...(giver.isPlatformAdmin && { isPlatformAdmin }) };
    await send(async () => onChanged(await changePerson(read, access)));
  }

  return (
    <Dialog title={said.changeAccessTitle(read.data.name)} isOpen isPersistent width={520} onClose={onClose}>
      <Form className="stack" onSubmit={change}>
        <AccessFields giver={giver} draft={draft} onChange={setDraft} isChecked={isChecked} />
        {giver.isPlatformAdmin && (
          <Checkbox isSelected={isPlatformAdmin} onChange={setIsPlatformAdmin}>
            {said.platformAdmin}
          </Checkbox>
        )}
        {isMoved && <p className="note">{said.moveEnds}</p>}
        <ErrorNotice error={fault} />
        <SubmitActions submit={said.save} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
