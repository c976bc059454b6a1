/** The public network that speaks the interface. */
export const DEFAULT_BASE_URL = 'https://api.pioupiou.fr';
