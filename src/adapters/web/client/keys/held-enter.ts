/**
 * Lets a form be sent once for each time that Enter is pressed, however long it is held: a wrong code would be tried
 * until no more attempts are left. Capturing, as fields may tell nobody else of their keys.
 */
export function ignoreHeldEnter(form: HTMLFormElement): void {
  form.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' && event.repeat && event.target instanceof HTMLInputElement) {
        event.preventDefault();
      }
    },
    true,
  );
}
