const NAME = /^[A-Za-z_:][\w:.-]*$/;
const NO_CHARACTER =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 allows none of these characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Checks that a text is well-formed XML 1.0 without a document type, and returns the names of its
 * elements in order.
 * @throws Error that names the place
 */
export function checkXml(xml: string): string[] {
  const bad = NO_CHARACTER.exec(xml);
  if (bad) throw new Error(`no character of XML at ${bad.index}`);
  const names: string[] = [];
  const open: string[] = [];
  let roots = 0;
  for (const [part, tag, text] of xml.matchAll(/<([^<>]*)>|([^<]+)|</g)) {
    if (text !== undefined) {
      checkReferences(text);
      if (open.length === 0 && text.trim() !== '') throw new Error(`text outside: ${text}`);
      continue;
    }
    if (tag === undefined) throw new Error(`stray ${part}`);
    if (tag.startsWith('/')) {
      if (open.pop() !== tag.slice(1).trim()) throw new Error(`unexpected <${tag}>`);
      continue;
    }
    const [, name = '', attributes = '', end] =
      /^(\S+?)((?:\s+[^\s=]+="[^"]*")*)\s*(\/?)$/.exec(tag) ?? [];
    if (!NAME.test(name)) throw new Error(`malformed <${tag}>`);
    const seen = Array.from(attributes.matchAll(/([^\s=]+)="([^"]*)"/g), ([, key, value]) => {
      if (!NAME.test(key ?? '')) throw new Error(`malformed attribute ${key}`);
      checkReferences(value ?? '');
      return key;
    });
    if (new Set(seen).size < seen.length) throw new Error(`attribute twice in <${tag}>`);
    if (open.length === 0) roots++;
    names.push(name);
    if (end === '') open.push(name);
  }
  if (open.length > 0 || roots !== 1) throw new Error(`not closed: ${open.join()}; roots ${roots}`);
  return names;
}

function checkReferences(text: string): void {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text))
    throw new Error(`stray & in ${text}`);
}
