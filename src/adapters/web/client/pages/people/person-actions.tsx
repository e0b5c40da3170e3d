import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Person } from '#adapters/http/api-types.ts';
import type { ApiAnswer } from '#console/api/http.ts';
import {
  PEOPLE_KEY,
  personQuery,
  resendInvitation,
  resetSecondFactor,
  withdrawInvitation,
} from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { NameDialog } from '#console/pages/organization/name-dialog.tsx';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import type { Giver } from '#domain/access/rights.ts';
import { AccessDialog } from './access-dialog.tsx';
import { usePersonChange } from './use-person-change.ts';

const said = words.people;

export type Asked = 'rename' | 'access' | 'disable' | 'reset-factor' | 'withdraw';

interface PersonActionsProps {
  readonly person: Person;
  readonly ask: (asked: Asked) => void;
  /** Runs an action that needs no confirmation and returns its outcome in words. */
  readonly act: (action: () => Promise<string>) => void;
  readonly enable: () => Promise<string>;
}

export function PersonActions({ person, ask, act, enable }: PersonActionsProps) {
  const api = useApi();
  const { id, email, status, mfa } = person;
  if (status === 'invited') {
    return (
      <>
        <Button onPress={() => ask('withdraw')}>{said.withdraw}</Button>
        <Button
          kind="primary"
          onPress={() =>
            act(async () => {
              await resendInvitation(api, id);
              return said.resent(email);
            })
          }
        >
          {said.resend}
        </Button>
      </>
    );
  }
  const hasFactor = mfa.totp || mfa.passkeys > 0;
  return (
    <>
      {hasFactor && <Button onPress={() => ask('reset-factor')}>{said.resetFactor}</Button>}
      {status === 'active' ? (
        <Button onPress={() => ask('disable')}>{said.disable}</Button>
      ) : (
        <Button kind="primary" onPress={() => act(enable)}>
          {said.enable}
        </Button>
      )}
    </>
  );
}

interface PersonDialogProps {
  readonly asked: Asked;
  readonly giver: Giver;
  readonly read: ApiAnswer<Person>;
  /** Without `now`, the person must be read again. */
  readonly onDone: (text: string, now?: ApiAnswer<Person>) => void;
  readonly onClose: () => void;
}

export function PersonDialog({ asked, giver, read, onDone, onClose }: PersonDialogProps) {
  const api = useApi();
  const changePerson = usePersonChange();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { id, name, email } = read.data;
  switch (asked) {
    case 'rename':
      return (
        <NameDialog
          title={said.renameTitle}
          action={said.save}
          name={name}
          onSubmit={async (wanted) => {
            const now = await changePerson(read, { name: wanted });
            onDone(said.renamed(now.data.name), now);
          }}
          onClose={onClose}
        />
      );
    case 'access':
      return (
        <AccessDialog
          giver={giver}
          read={read}
          onChanged={(now) => onDone(said.accessChanged(name), now)}
          onClose={onClose}
        />
      );
    case 'disable':
      return (
        <ConfirmDialog
          title={said.disableTitle(name)}
          action={said.disable}
          onConfirm={async () =>
            onDone(said.disabled(name), await changePerson(read, { status: 'disabled' }))
          }
          onClose={onClose}
        >
          {said.disableText}
        </ConfirmDialog>
      );
    case 'reset-factor':
      return (
        <ConfirmDialog
          title={said.resetFactorTitle(name)}
          action={said.resetFactor}
          onConfirm={async () => {
            await resetSecondFactor(api, id);
            onDone(said.factorReset(name));
          }}
          onClose={onClose}
        >
          {said.resetFactorText}
        </ConfirmDialog>
      );
    case 'withdraw':
      return (
        <ConfirmDialog
          title={said.withdrawTitle(name)}
          action={said.withdraw}
          onConfirm={async () => {
            await withdrawInvitation(api, id);
            // Cached lists still contain the person.
            queries.removeQueries({ queryKey: PEOPLE_KEY, type: 'inactive' });
            await navigate({ to: '/people' });
            queries.removeQueries({ queryKey: personQuery(api, id).queryKey });
          }}
          onClose={onClose}
        >
          {said.withdrawText(email)}
        </ConfirmDialog>
      );
  }
}
