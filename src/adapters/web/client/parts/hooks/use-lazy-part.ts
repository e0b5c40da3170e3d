/** Parts that are no part of the first load: fetched when somebody is about to open them. */
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';

export interface LazyPart<Props> {
  /** Null while it is closed or still on its way. */
  readonly Part: ComponentType<Props> | null;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  /** Fetches it without opening it. */
  readonly fetchAhead: () => void;
  /** For the button that opens it. */
  readonly buttonProps: {
    readonly onHoverStart: () => void;
    readonly onFocus: () => void;
    readonly onPress: () => void;
    readonly 'aria-expanded': boolean;
  };
}

/** `load` is the same function at every rendering. */
export function useLazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [part, setPart] = useState<{ readonly Part: ComponentType<Props> } | null>(null);

  const fetchAhead = () => void load().catch(() => undefined);
  const close = () => setIsOpen(false);
  const open = () => {
    setIsOpen(true);
    if (part !== null) return;
    load()
      .then((Part) => setPart({ Part }))
      .catch(() => {
        setIsOpen(false);
        // Any question tells whether the server is gone, and the line on top then says so.
        void queries.invalidateQueries({ queryKey: ['user'] });
      });
  };
  return {
    Part: isOpen ? (part?.Part ?? null) : null,
    isOpen,
    open,
    close,
    fetchAhead,
    buttonProps: {
      onHoverStart: fetchAhead,
      onFocus: fetchAhead,
      onPress: () => (isOpen ? close() : open()),
      'aria-expanded': isOpen,
    },
  };
}
