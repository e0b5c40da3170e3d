import { useState } from 'react';
import type { Person } from '#adapters/http/api-types.ts';
import { invitePerson } from '#console/api/people.ts';
import { draftKey, keepDraft, readDraft } from '#console/app/drafts.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import type { Giver } from '#domain/access/rights.ts';
import { type AccessDraft, faultsOf, toAccess } from './access-draft.ts';
import { AccessFields } from './access-fields.tsx';

const said = words.people;

interface InviteDialogProps {
  readonly giver: Giver;
  readonly orgId: string | null;
  readonly onInvited: (person: Person) => void;
  readonly onClose: () => void;
}

interface Draft extends AccessDraft {
  readonly email: string;
  readonly name: string;
}

export function InviteDialog({ giver, orgId, onInvited, onClose }: InviteDialogProps) {
  const api = useApi();
  const key = draftKey(useUser().id, 'invitation');
  const [draft, setDraft] = useState<Draft>(() => ({
    ...emptyDraft(giver, orgId),
    ...parse(readDraft(key)),
  }));
  const [isChecked, setIsChecked] = useState(false);
  const sending = useSending();
  const email = draft.email.trim();
  const name = draft.name.trim();

  function change(changed: Draft) {
    setDraft(changed);
    keepDraft(key, JSON.stringify(changed));
  }

  function close() {
    keepDraft(key, '');
    onClose();
  }

  async function invite() {
    setIsChecked(true);
    const faults = faultsOf(draft);
    if (email === '' || name === '' || faults.place !== null || faults.orgIds !== null) return;
    await sending.send(async () => {
      const person = await invitePerson(api, { email, name, ...toAccess(draft) });
      keepDraft(key, '');
      onInvited(person);
    });
  }

  const emailFault = faultAt(sending.fault, 'email');
  const nameFault = faultAt(sending.fault, 'name');
  return (
    <FormDialog
      title={said.inviteTitle}
      submit={said.send}
      isPersistent
      width={520}
      sending={sending}
      isFaultShown={emailFault !== null || nameFault !== null}
      onSubmit={invite}
      onClose={close}
    >
      <p>{said.inviteText}</p>
      <TextField
        label={said.email}
        inputMode="email"
        autoComplete="off"
        error={emailFault ?? (isChecked && email === '' ? said.emailMissing : null)}
        value={draft.email}
        onChange={(typed) => change({ ...draft, email: typed })}
        autoFocus
      />
      <TextField
        label={said.name}
        autoComplete="off"
        error={nameFault ?? (isChecked && name === '' ? said.nameMissing : null)}
        value={draft.name}
        onChange={(typed) => change({ ...draft, name: typed })}
      />
      <AccessFields
        giver={giver}
        draft={draft}
        onChange={(access) => change({ ...draft, ...access })}
        isChecked={isChecked}
      />
    </FormDialog>
  );
}

/** The place starts as the giver's own organization, or else as the one that the page is narrowed to. */
function emptyDraft({ scope }: Giver, narrowedTo: string | null): Draft {
  const orgId = scope.kind === 'organization' ? scope.orgId : narrowedTo;
  const place = orgId === null ? '' : `organization:${orgId}`;
  return { email: '', name: '', place, orgIds: null, permissions: [] };
}

function parse(kept: string): Partial<Draft> {
  return kept === '' ? {} : (JSON.parse(kept) as Draft);
}
