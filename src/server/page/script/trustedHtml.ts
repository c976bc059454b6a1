/** The fixed texts that Leaflet writes as HTML: a test of the browser, and the signs on buttons. */
const LEAFLET_TEXTS = [
  '<svg/>',
  '<span aria-hidden="true">+</span>',
  '<span aria-hidden="true">&#x2212;</span>',
  '<span aria-hidden="true">&#215;</span>',
];

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

// Browsers with trusted types refuse all other HTML, such as markup in a station's name.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
  createHTML: (text) => (LEAFLET_TEXTS.includes(text) ? text : null),
});
