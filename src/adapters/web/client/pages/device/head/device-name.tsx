import { useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import { useDeviceChange } from '#console/pages/device/use-device-change.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import type { DevicePartProps } from './device-head.tsx';
import styles from './device-name.module.css';

/** The name as the heading of the page; whoever may changes it in its place. Esc leaves it as it was. */
export function DeviceName({ device, etag, canChange }: DevicePartProps & { readonly canChange: boolean }) {
  const [draft, setDraft] = useState<string | null>(null);
  const change = useDeviceChange(device.id, etag);
  // Whoever used the keyboard goes on where they were.
  const [wasOpen, setWasOpen] = useState(false);

  const latest = useRef(draft);
  latest.current = draft;

  const leave = () => {
    setDraft(null);
    setWasOpen(true);
    change.reset();
  };

  if (draft === null) {
    return (
      <div className={styles.name}>
        <h1>{nameOf(device)}</h1>
        {device.displayName !== null && <span className="soft">{device.hostname}</span>}
        {canChange && (
          <Button
            autoFocus={wasOpen}
            kind="quiet"
            isCompact
            aria-label={words.devicePage.rename}
            onPress={() => setDraft(device.displayName ?? '')}
          >
            <Icon name="edit" />
          </Button>
        )}
      </div>
    );
  }
  return (
    <Form
      className="stack"
      // What was typed meanwhile stays.
      onSubmit={async () => {
        if ((await change.save({ displayName: draft })) && latest.current === draft) leave();
      }}
    >
      <h1 className="visually-hidden">{nameOf(device)}</h1>
      <div className={styles.edit}>
        <TextField
          label={words.devicePage.name}
          value={draft}
          onChange={setDraft}
          hint={words.devicePage.nameHint(device.hostname)}
          autoFocus
          onKeyDown={({ key }) => {
            if (key === 'Escape') leave();
          }}
        />
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" isPending={change.isSaving}>
            {words.devicePage.save}
          </Button>
          <Button onPress={leave}>{words.cancel}</Button>
        </div>
      </div>
      <ErrorNotice error={change.error} />
    </Form>
  );
}
