/**
 * An import of `file?text` gives the file as text; a script comes bundled with its imports: see
 * `.build/text.mjs`.
 */
declare module '*?text' {
  const text: string;
  export default text;
}
