import { useState } from 'react';
import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { type DeviceChange, useDeviceChange } from '#console/pages/device/use-device-change.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { faultAt } from '#console/parts/fields/field-fault.ts';
import { CustomChoice } from './custom-choice.tsx';
import styles from './custom-field.module.css';
import { CustomForm } from './custom-form.tsx';
import { customText } from './custom-text.ts';

/** A custom field of the device's organization, with the device's value. */
export type CustomFieldValue = Device['custom'][number] & {
  /** What a dropdown offers; null as long as that is not known. */
  readonly choices: readonly string[] | null;
};

/** How a value is changed: each by itself. */
export interface CustomEditing {
  readonly field: CustomFieldValue;
  readonly change: DeviceChange;
  /** Whether it was saved. */
  readonly save: (value: CustomFieldValue['value']) => Promise<boolean>;
}

export interface CustomFieldProps {
  readonly field: CustomFieldValue;
  readonly deviceId: string;
  readonly etag: string | null;
  readonly canChange: boolean;
}

/** A label and its value, which is chosen from a menu or typed in its place. */
export function CustomField({ field, deviceId, etag, canChange }: CustomFieldProps) {
  const { key, name, type, value } = field;
  const change = useDeviceChange(deviceId, etag);
  const [isOpen, setIsOpen] = useState(false);
  // Whoever used the keyboard goes on where they were.
  const [wasOpen, setWasOpen] = useState(false);
  const [isSaved, setIsSaved] = useState(false);

  const editing: CustomEditing = {
    field,
    change,
    save: async (wanted) => {
      setIsSaved(false);
      const isDone = await change.save({ custom: { [key]: wanted } });
      setIsSaved(isDone);
      return isDone;
    },
  };
  const leave = () => {
    setIsOpen(false);
    setWasOpen(true);
    change.reset();
  };
  const isChosen = type === 'boolean' || type === 'dropdown';
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isOpen ? (
          <CustomForm {...editing} onLeave={leave} />
        ) : (
          <div className={styles.line}>
            <span className={styles.value}>
              {customText(type, value) ?? <span className="soft">{words.devicePage.noValue}</span>}
            </span>
            {canChange && isChosen && <CustomChoice {...editing} />}
            {canChange && !isChosen && (
              <Button
                autoFocus={wasOpen}
                kind="quiet"
                isCompact
                aria-label={words.devicePage.editField(name)}
                onPress={() => {
                  setIsSaved(false);
                  setIsOpen(true);
                }}
              >
                <Icon name="edit" />
              </Button>
            )}
            <span role="status" className={styles.saved}>
              {isSaved && words.devicePage.saved}
            </span>
          </div>
        )}
        {faultAt(change.error, `custom.${key}`) === null && <ErrorNotice error={change.error} />}
      </dd>
    </div>
  );
}
