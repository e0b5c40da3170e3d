import { useRouter } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';
import { Page } from './page.tsx';

/** Instead of a page that could not be shown, with a way to try again. */
export function PageError({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const router = useRouter();
  return (
    <Page title={words.failedTitle}>
      <ErrorNotice error={error} />
      <div>
        <Button
          onPress={() => {
            reset();
            void router.invalidate();
          }}
        >
          {words.retry}
        </Button>
      </div>
    </Page>
  );
}
