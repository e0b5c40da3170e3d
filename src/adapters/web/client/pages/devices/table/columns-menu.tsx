import { useState } from 'react';
import { Header, MenuTrigger } from 'react-aria-components';
import { type Preferences, setPreferences, usePreferences } from '#console/app/preferences.ts';
import { words } from '#console/app/words.ts';
import styles from '#console/pages/devices/devices-page.module.css';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem, MenuSection } from '#console/parts/actions/menu.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Combo } from '#console/parts/fields/combo.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { useKnownValues } from '#console/parts/hooks/use-known-values.ts';
import { Dialog, SubmitActions } from '#console/parts/layout/dialog.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { keyOfTitle } from '#domain/filter/catalog/title-versions.ts';
import {
  COLUMNS,
  type Column,
  FIXED_COLUMNS,
  MAX_FIELD_COLUMNS,
  titleOfVersions,
  USUAL_COLUMNS,
} from './columns.tsx';
import type { ColumnLayout } from './use-column-layout.ts';

const DENSITIES = ['comfortable', 'compact'] as const satisfies readonly Preferences['density'][];

export interface ColumnsMenuProps {
  readonly columns: readonly Column[];
  readonly catalog: FieldCatalog;
  readonly onLayout: (changes: Partial<ColumnLayout>) => void;
}

interface Choice {
  readonly id: string;
  readonly title: string;
}

export function ColumnsMenu({ columns, catalog, onLayout }: ColumnsMenuProps) {
  const { density } = usePreferences();
  const [isAdding, setIsAdding] = useState(false);
  const shown = columns.map(({ id }) => id);
  const isFull = columns.filter(({ field }) => field !== null).length >= MAX_FIELD_COLUMNS;
  const toggle = (id: string) =>
    onLayout({ ids: shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id] });
  const sections: readonly { readonly title: string; readonly choices: readonly Choice[] }[] = [
    { title: words.devices.columns, choices: COLUMNS.filter(({ id }) => !FIXED_COLUMNS.includes(id)) },
    { title: words.devices.customColumns, choices: customChoices(catalog) },
    {
      title: words.devices.versionColumns,
      choices: columns.filter(({ id }) => titleOfVersions(id) !== null),
    },
  ];
  return (
    <>
      <MenuTrigger>
        <Button>
          {words.devices.columns} <Icon name="down" />
        </Button>
        <Menu placement="bottom end">
          {sections
            .filter(({ choices }) => choices.length > 0)
            .map(({ title, choices }) => (
              <MenuSection
                key={title}
                selectionMode="multiple"
                selectedKeys={shown.filter((id) => choices.some((choice) => choice.id === id))}
              >
                <Header className={styles.title}>{title}</Header>
                {choices.map(({ id, title: name }) => (
                  <MenuItem
                    key={id}
                    id={id}
                    isDisabled={isFull && !shown.includes(id)}
                    onAction={() => toggle(id)}
                  >
                    {name}
                  </MenuItem>
                ))}
              </MenuSection>
            ))}
          <MenuItem isDisabled={isFull} onAction={() => setIsAdding(true)}>
            {words.devices.addVersion}
          </MenuItem>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[density]}
            onSelectionChange={(keys) =>
              setPreferences({ density: DENSITIES.find((one) => keys !== 'all' && keys.has(one)) ?? density })
            }
          >
            <Header className={styles.title}>{words.devices.density}</Header>
            {DENSITIES.map((one) => (
              <MenuItem key={one} id={one}>
                {words.devices.densities[one]}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuItem onAction={() => onLayout({ ids: USUAL_COLUMNS, widths: {} })}>
            {words.devices.resetColumns}
          </MenuItem>
        </Menu>
      </MenuTrigger>
      {isAdding && (
        <VersionsDialog
          onAdd={(title) => {
            const id = keyOfTitle(title);
            if (!shown.includes(id)) toggle(id);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

function customChoices(catalog: FieldCatalog): readonly Choice[] {
  return [...catalog.values()].flatMap((entry) =>
    entry.kind === 'field' && entry.field.category === 'custom'
      ? [{ id: entry.field.key, title: entry.field.label }]
      : [],
  );
}

interface VersionsDialogProps {
  readonly onAdd: (title: string) => void;
  readonly onClose: () => void;
}

function VersionsDialog({ onAdd, onClose }: VersionsDialogProps) {
  const [title, setTitle] = useState('');
  const { values } = useKnownValues('software.installed', title);
  return (
    <Dialog title={words.devices.addVersionTitle} onClose={onClose}>
      <Form
        className="stack"
        onSubmit={() => {
          if (title.trim() === '') return;
          onAdd(title.trim());
          onClose();
        }}
      >
        <Combo
          label={words.devices.addVersionLabel}
          placeholder={words.devices.addVersionLabel}
          value={title}
          items={values.map(({ label }) => ({ id: label, label }))}
          onChange={setTitle}
          onText={setTitle}
          emptyText={words.devices.noTitle(title.trim())}
          hasFocusAtFirst
        />
        <SubmitActions submit={words.devices.addVersionSubmit} isSending={false} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
