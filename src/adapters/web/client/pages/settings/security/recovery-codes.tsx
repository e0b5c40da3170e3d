import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { saveFile } from '#console/parts/actions/save-file.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { DialogActions } from '#console/parts/layout/dialog.tsx';
import styles from './security.module.css';

const said = words.settings.security;

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { email } = useUser();
  const text = said.codesFile(email, codes);
  return (
    <>
      <p>{said.codesText}</p>
      <p className={styles.whose}>{said.codesOf(email)}</p>
      <ul className={styles.codes} aria-label={said.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.ways}>
        <CopyButton text={codes.join('\n')} label={said.copyCodes} />
        <Button
          onPress={() => saveFile('fleetsift-recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}
        >
          <Icon name="download" />
          {said.saveCodes}
        </Button>
        <Button onPress={() => window.print()}>{said.printCodes}</Button>
      </div>
      <div className={styles.ways}>
        <DialogActions>
          <Button kind="primary" onPress={onKept}>
            {said.codesKept}
          </Button>
        </DialogActions>
      </div>
    </>
  );
}
