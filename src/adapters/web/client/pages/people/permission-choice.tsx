import { useId } from 'react';
import { words } from '#console/app/words.ts';
import form from '#console/pages/settings/form.module.css';
import { Checkbox } from '#console/parts/fields/checkbox.tsx';

interface PermissionChoiceProps {
  readonly legend: string;
  readonly hint?: string;
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function PermissionChoice({ legend, hint, offered, chosen, onChange }: PermissionChoiceProps) {
  const hintId = useId();
  return (
    <fieldset className={form.options} aria-describedby={hint === undefined ? undefined : hintId}>
      <legend>{legend}</legend>
      {hint !== undefined && (
        <p id={hintId} className="note">
          {hint}
        </p>
      )}
      {offered.map((permission) => (
        <Checkbox
          key={permission}
          isSelected={chosen.includes(permission)}
          onChange={() => onChange(toggled(chosen, permission))}
        >
          {words.settings.profile.permissionTitles[permission] ?? permission}{' '}
          <code className="soft">{permission}</code>
        </Checkbox>
      ))}
    </fieldset>
  );
}

export function toggled(chosen: readonly string[], one: string): readonly string[] {
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
}
