/** How one signs in, and where one has. */
import { SettingsPage } from '#console/pages/settings/settings-page.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SessionList } from './session-list.tsx';

export function SecurityPage() {
  return (
    <SettingsPage title="Security">
      <SecondFactor />
      <PasswordForm />
      <SessionList />
    </SettingsPage>
  );
}
