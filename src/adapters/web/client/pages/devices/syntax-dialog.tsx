import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/button.tsx';
import { Dialog, DialogActions } from '#console/parts/dialog.tsx';
import styles from './syntax-dialog.module.css';

/** How filters are written, and the keys of the list. */
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
      <h3>{words.devices.keys}</h3>
      <dl className={styles.list}>
        {words.devices.listKeys.map(([key, meaning]) => (
          <div key={key}>
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
