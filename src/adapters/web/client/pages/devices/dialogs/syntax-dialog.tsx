import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import styles from './dialogs.module.css';

export function SyntaxDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={words.devices.syntax} onClose={onClose} width={680}>
      <Terms Term="code" terms={words.devices.syntaxTerms} />
      <h3>{words.devices.keysTitle}</h3>
      <Terms Term="kbd" terms={LIST_KEYS} />
      <DialogActions>
        <Button onPress={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface TermsProps {
  readonly Term: 'code' | 'kbd';
  readonly terms: readonly (readonly string[])[];
}

function Terms({ Term, terms }: TermsProps) {
  return (
    <dl className={styles.list}>
      {terms.map(([term, meaning]) => (
        <div key={meaning}>
          <dt>
            <Term>{term}</Term>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

const LIST_KEYS = [
  ['/', words.devices.keys.filter],
  ['?', words.devices.keys.syntax],
  ['j', words.devices.keys.next],
  ['k', words.devices.keys.previous],
  ['x', words.devices.keys.select],
  ['Enter', words.devices.keys.open],
  ['e', words.devices.keys.explain],
  ['Enter', words.devices.keys.chipOpen],
  ['-', words.devices.keys.chipNegate],
  ['Delete', words.devices.keys.chipRemove],
] as const;
