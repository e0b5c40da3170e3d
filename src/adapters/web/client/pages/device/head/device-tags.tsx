import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { useDeviceChange } from '#console/pages/device/use-device-change.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Chip } from '#console/parts/display/chip.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import type { DevicePartProps } from './device-head.tsx';
import styles from './device-tags.module.css';

/** The tags, each removable, and a place to add one; commas separate several. */
export function DeviceTags({ device, etag, canChange }: DevicePartProps & { readonly canChange: boolean }) {
  const [draft, setDraft] = useState('');
  const change = useDeviceChange(device.id, etag);
  const { tags } = device;

  async function add() {
    const added = draft
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    if (added.length === 0 || !(await change.save({ tags: [...new Set([...tags, ...added])] }))) return;
    // What was typed meanwhile stays.
    setDraft((now) => (now === draft ? '' : now));
  }

  return (
    <>
      <div className={styles.line}>
        {tags.length === 0 && !canChange && <span className="soft">{words.devicePage.noTags}</span>}
        <ul aria-label={words.devicePage.tags} className={styles.tags}>
          {tags.map((tag) => (
            <li key={tag}>
              <Chip
                {...(canChange && {
                  removal: {
                    label: words.devicePage.removeTag(tag),
                    onRemove: () => void change.save({ tags: tags.filter((one) => one !== tag) }),
                    isDisabled: change.isSaving,
                  },
                })}
              >
                {tag}
              </Chip>
            </li>
          ))}
        </ul>
        {canChange && (
          <Form className={styles.form} onSubmit={add}>
            <TextField
              aria-label={words.devicePage.addTag}
              value={draft}
              onChange={setDraft}
              onKeyDown={({ key }) => {
                if (key !== 'Escape') return;
                setDraft('');
                change.reset();
              }}
            >
              <Input className={styles.input} placeholder={words.devicePage.addTag} />
            </TextField>
            {draft.trim() !== '' && (
              <Button type="submit" isCompact isPending={change.isSaving}>
                {words.devicePage.addTagSubmit}
              </Button>
            )}
          </Form>
        )}
      </div>
      <ErrorNotice error={change.error} />
    </>
  );
}
