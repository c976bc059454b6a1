/** The constant texts that Leaflet writes as HTML: a test of the browser, and signs of buttons. */
const LEAFLET_TEXTS = [
  '<svg/>',
  '<span aria-hidden="true">+</span>',
  '<span aria-hidden="true">&#x2212;</span>',
  '<span aria-hidden="true">&#215;</span>',
];

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

// Browsers that know trusted types refuse all other HTML, such as a name of a station.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
  createHTML: (text) => (LEAFLET_TEXTS.includes(text) ? text : null),
});
