/** Accepts an invitation. The first administrator of a new service uses this page too (Contract: §16). */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Invitation } from '#adapters/http/api-types.ts';
import { acceptInvitation, invitationQuery } from '#console/api/links.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { LonePage } from '#console/parts/layout/lone-page.tsx';
import { NewPasswordField, passwordFault } from './new-password-field.tsx';
import { useLinkToken } from './use-link-token.ts';

export function InvitationPage() {
  const token = useLinkToken();
  const invitation = useQuery(invitationQuery(token));
  return (
    <LonePage title={words.links.setTitle}>
      <ErrorNotice error={invitation.error} onRetry={() => void invitation.refetch()} />
      {invitation.data !== undefined && <AcceptForm key={token} token={token} invitation={invitation.data} />}
    </LonePage>
  );
}

function AcceptForm({ token, invitation }: { readonly token: string; readonly invitation: Invitation }) {
  const { email: known, organization, partner } = invitation;
  const isFirst = known === null;
  const navigate = useNavigate();
  const [email, setEmail] = useState(known ?? '');
  const [name, setName] = useState(invitation.name ?? '');
  const [partnerName, setPartnerName] = useState('');
  const [organizationName, setOrganizationName] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const { isSending, fault, send } = useSending();

  async function submit() {
    setIsChecked(true);
    if (passwordFault(password) !== null) return;
    await send(async () => {
      const first = { email: email.trim(), partnerName, organizationName };
      await acceptInvitation({ token, name, password, ...(isFirst && first) });
      await navigate({ to: '/login', replace: true, state: { passwordSetFor: email.trim() } });
    });
  }

  return (
    <Form className="stack" onSubmit={submit}>
      <p>
        {isFirst ? words.links.firstText : words.links.invitedTo(organization?.name ?? partner?.name ?? null)}
      </p>
      {isFirst ? (
        <>
          <TextField
            label={words.links.partner}
            hint={words.links.partnerHint}
            value={partnerName}
            onChange={setPartnerName}
            error={faultAt(fault, 'partnerName')}
            autoComplete="organization"
            isRequired
            autoFocus
          />
          <TextField
            label={words.links.organization}
            hint={words.links.organizationHint}
            value={organizationName}
            onChange={setOrganizationName}
            error={faultAt(fault, 'organizationName')}
            isRequired
          />
        </>
      ) : null}
      <TextField
        label={words.signIn.email}
        value={email}
        onChange={setEmail}
        error={faultAt(fault, 'email')}
        type="email"
        autoComplete="username"
        isReadOnly={!isFirst}
        isRequired
      />
      <TextField
        label={words.links.name}
        value={name}
        onChange={setName}
        error={faultAt(fault, 'name')}
        autoComplete="name"
        isRequired
      />
      <NewPasswordField value={password} onChange={setPassword} isChecked={isChecked} autoFocus={!isFirst} />
      <ErrorNotice error={fault} />
      <Button kind="primary" type="submit" isPending={isSending}>
        {words.links.set}
      </Button>
    </Form>
  );
}
