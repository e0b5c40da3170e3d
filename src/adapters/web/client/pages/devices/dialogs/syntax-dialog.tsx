import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import styles from './dialogs.module.css';

export function SyntaxDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={words.devices.syntax} isOpen onClose={onClose} width={680}>
      <dl className={styles.list}>
        {words.devices.syntaxTerms.map(([term, meaning]) => (
          <div key={term}>
            <dt>
              <code>{term}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h3>{words.devices.keysTitle}</h3>
      <dl className={styles.list}>
        {LIST_KEYS.map(([key, meaning]) => (
          <div key={meaning}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onPress={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
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
