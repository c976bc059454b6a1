/** A file as text, a script with all that it imports: see `.build/text.mjs`. */
declare module '*?text' {
  const text: string;
  export default text;
}
