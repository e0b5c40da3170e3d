import { useNavigate } from '@tanstack/react-router';

/** Changes what narrows the list, in its address; undefined removes it. */
export function useNarrow(): (changes: Readonly<Record<string, string | undefined>>) => void {
  const navigate = useNavigate();
  return (changes) =>
    void navigate({ to: '.', search: (search) => ({ ...search, ...changes }) as object, replace: true });
}
