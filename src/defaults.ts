/** Address of the public network of wind stations that vane reads by default. */
export const DEFAULT_BASE_URL = 'https://api.pioupiou.fr';
