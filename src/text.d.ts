/** An import of `file?text` returns the file as text. A script is bundled with its imports. */
declare module '*?text' {
  const text: string;
  export default text;
}
