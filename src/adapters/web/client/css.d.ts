/** A test checks that each class exists, so class names are not typed. */
declare module '*.module.css' {
  // biome-ignore lint/suspicious/noExplicitAny: checked index access would make every class name possibly undefined.
  const styles: any;
  // biome-ignore lint/style/noDefaultExport: Vite exports the class names as the default.
  export default styles;
}

declare module '*.css';
