/** Class names by the names in the file; a test finds those that a file does not have. */
declare module '*.module.css' {
  // biome-ignore lint/suspicious/noExplicitAny: checked index access would make every class name possibly undefined.
  const styles: any;
  // biome-ignore lint/style/noDefaultExport: how Vite gives them.
  export default styles;
}

declare module '*.css';
