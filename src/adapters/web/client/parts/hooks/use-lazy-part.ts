/** Parts that load when first opened, to keep the first load small. */
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { loadPart } from '#console/app/lazy-page.ts';

export interface LazyPart<Props> {
  /** Null while closed or loading. */
  readonly Part: ComponentType<Props> | null;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  readonly buttonProps: {
    readonly onPress: () => void;
    readonly 'aria-expanded': boolean;
  };
}

export function useLazyPart<Props>(name: string, load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [part, setPart] = useState<{ readonly Part: ComponentType<Props> } | null>(null);

  const close = () => setIsOpen(false);
  const open = () => {
    setIsOpen(true);
    if (part !== null) return;
    loadPart(name, load)
      .then((Part) => setPart({ Part }))
      .catch(() => {
        setIsOpen(false);
        // If the server is away, this query fails too, and the connection line appears.
        void queries.invalidateQueries({ queryKey: ['user'] });
      });
  };
  return {
    Part: isOpen ? (part?.Part ?? null) : null,
    isOpen,
    open,
    close,
    buttonProps: {
      onPress: () => (isOpen ? close() : open()),
      'aria-expanded': isOpen,
    },
  };
}
