import { useQueryClient } from '@tanstack/react-query';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { currentAddress } from '#console/api/provider-sign-in.ts';
import { useServices } from '#console/app/services.ts';
import { userQuery } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import styles from './sign-in-again-dialog.module.css';
import { SignInForm } from './sign-in-form.tsx';

/** Offers to sign out too, because another person may be at this browser now. */
export function SignInAgainDialog() {
  const { api, session } = useServices();
  const queries = useQueryClient();
  const user = queries.getQueryData(userQuery(api).queryKey);
  return (
    <ModalOverlay className={styles.overlay} isOpen isKeyboardDismissDisabled>
      <Modal>
        <Dialog className={styles.dialog}>
          <Heading slot="title" level={1}>
            {words.signIn.title}
          </Heading>
          <p>{words.signIn.endedText}</p>
          <SignInForm next={currentAddress()} {...(user !== undefined && { email: user.email })} />
          <Button kind="quiet" onPress={() => session.leave()}>
            {words.signIn.leave}
          </Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
