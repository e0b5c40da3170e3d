import { Label, Radio, RadioGroup } from 'react-aria-components';
import { ACCOUNT_DELETION_PATH } from '#adapters/web/places.ts';
import { setPreferences, usePreferences } from '#console/app/preferences.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Facts } from '#console/pages/facts.tsx';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { Switch } from '#console/parts/fields/switch.tsx';
import field from '#console/parts/fields/text-field.module.css';
import styles from './profile-page.module.css';
import { Section, SettingsPage } from './settings-page.tsx';

const said = words.settings.profile;

export function ProfilePage() {
  const { theme, density, hasSingleKeys } = usePreferences();
  return (
    <SettingsPage title="Profile">
      <Section title={said.you} text={said.youText}>
        <You />
      </Section>
      <Section title={said.appearance} text={said.appearanceText}>
        <Choice
          label={said.theme}
          options={words.shell.themes}
          value={theme}
          onChange={(chosen) => setPreferences({ theme: chosen })}
        />
        <Choice
          label={said.density}
          options={said.densities}
          value={density}
          onChange={(chosen) => setPreferences({ density: chosen })}
        />
      </Section>
      <Section title={said.keyboard} text={said.keyboardText}>
        <div>
          <Switch
            label={said.singleKeys}
            isSelected={hasSingleKeys}
            onChange={(isOn) => setPreferences({ hasSingleKeys: isOn })}
            aria-describedby="single-keys-hint"
          />
          <p id="single-keys-hint" className="note">
            {said.singleKeysHint}
          </p>
        </div>
      </Section>
      <Section title={said.account} text={said.accountText}>
        <a href={ACCOUNT_DELETION_PATH}>{said.deleteAccount}</a>
      </Section>
    </SettingsPage>
  );
}

function You() {
  const user = useUser();
  const organizations = useOrganizations();
  const place =
    user.orgId !== null ? organizations.nameOf(user.orgId) : organizations.partnerName(user.partnerId);
  const granted = Object.entries(said.permissionTitles)
    .filter(([permission]) => holds(user, permission))
    .map(([, title]) => title);
  const permissions = [said.readOnly, ...granted, ...(user.isPlatformAdmin ? [said.platformAdmin] : [])];
  return (
    <Facts
      rows={[
        [said.name, user.name],
        [said.email, user.email],
        [said.access, words.shell.scopes[user.scope] + (place ? `: ${place}` : '')],
        [
          said.permissions,
          <ul key="permissions">
            {permissions.map((title) => (
              <li key={title}>{title}</li>
            ))}
          </ul>,
        ],
      ]}
    />
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <RadioGroup
      className={field.field}
      orientation="horizontal"
      value={value}
      onChange={(chosen) => onChange(chosen as T)}
    >
      <Label className={field.label}>{label}</Label>
      <div className={styles.options}>
        {Object.entries<string>(options).map(([option, title]) => (
          <Radio key={option} value={option} className={styles.option}>
            {title}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
