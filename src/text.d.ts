/** An import of `file?text` gives the file as text, a script with its imports. */
declare module '*?text' {
  const text: string;
  export default text;
}
