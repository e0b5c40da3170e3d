import { useState } from 'react';
import type { Person } from '#adapters/http/api-types.ts';
import type { ApiAnswer } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Checkbox } from '#console/parts/fields/checkbox.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import type { Giver } from '#domain/access/rights.ts';
import { type AccessDraft, draftOf, faultsOf, toAccess } from './access-draft.ts';
import { AccessFields } from './access-fields.tsx';
import { usePersonChange } from './use-person-change.ts';

const said = words.people;

interface AccessDialogProps {
  readonly giver: Giver;
  readonly read: ApiAnswer<Person>;
  readonly onChanged: (now: ApiAnswer<Person>) => void;
  readonly onClose: () => void;
}

export function AccessDialog({ giver, read, onChanged, onClose }: AccessDialogProps) {
  const changePerson = usePersonChange();
  const [draft, setDraft] = useState<AccessDraft>(() => draftOf(read.data));
  const [isPlatformAdmin, setIsPlatformAdmin] = useState(read.data.isPlatformAdmin);
  const [isChecked, setIsChecked] = useState(false);
  const sending = useSending();
  const isMoved = draft.place !== draftOf(read.data).place;

  async function change() {
    setIsChecked(true);
    const faults = faultsOf(draft);
    if (faults.place !== null || faults.orgIds !== null) return;
    const access = { ...toAccess(draft), ...(giver.isPlatformAdmin && { isPlatformAdmin }) };
    await sending.send(async () => onChanged(await changePerson(read, access)));
  }

  return (
    <FormDialog
      title={said.changeAccessTitle(read.data.name)}
      submit={said.save}
      isPersistent
      width={520}
      sending={sending}
      onSubmit={change}
      onClose={onClose}
    >
      <AccessFields giver={giver} draft={draft} onChange={setDraft} isChecked={isChecked} />
      {giver.isPlatformAdmin && (
        <Checkbox isSelected={isPlatformAdmin} onChange={setIsPlatformAdmin}>
          {said.platformAdmin}
        </Checkbox>
      )}
      {isMoved && <p className="note">{said.moveEnds}</p>}
    </FormDialog>
  );
}
