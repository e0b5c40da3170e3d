import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword, sessionsQuery } from '#console/api/account.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import form from '#console/pages/settings/form.module.css';
import { Section, SettingsPage } from '#console/pages/settings/settings-page.tsx';
import { NewPasswordField, passwordFault } from '#console/pages/sign-in/new-password-field.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Form, faultAt, useSending } from '#console/parts/fields/form.tsx';
import { Switch } from '#console/parts/fields/switch.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { ProviderList } from './provider-list.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SessionList } from './session-list.tsx';

export function SecurityPage() {
  const { passwordless = false } = useUser();
  return (
    <SettingsPage title="Security">
      <SecondFactor />
      <PasskeyList />
      <ProviderList />
      {!passwordless && <PasswordForm />}
      <SessionList />
    </SettingsPage>
  );
}

const said = words.settings.security;

function PasswordForm() {
  const api = useApi();
  const queries = useQueryClient();
  const { email } = useUser();
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const [isShown, setIsShown] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  const { isSending, fault, send } = useSending();

  async function submit() {
    setIsTried(true);
    setIsChanged(false);
    if (passwordFault(wanted) !== null) return;
    await send(async () => {
      await changePassword(api, current, wanted);
      setCurrent('');
      setWanted('');
      setIsTried(false);
      setIsChanged(true);
      await queries.invalidateQueries({ queryKey: sessionsQuery(api).queryKey });
    });
  }

  const refusal = faultAt(fault, 'newPassword');
  return (
    <Section title={said.passwordTitle} text={said.passwordSectionText}>
      <Form className={`stack ${form.narrow}`} onSubmit={submit}>
        {/* Password managers file the password under this email. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={said.currentPassword}
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          isRequired
        />
        <NewPasswordField
          value={wanted}
          onChange={setWanted}
          isChecked={isTried}
          isShown={isShown}
          refusal={refusal}
        />
        <Switch label={said.showPasswords} isSelected={isShown} onChange={setIsShown} />
        {refusal === null && <ErrorNotice error={fault} />}
        {isChanged && <Notice kind="success">{said.passwordChanged}</Notice>}
        <div>
          <Button type="submit" isPending={isSending}>
            {said.changePassword}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
