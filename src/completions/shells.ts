/** The shells that vane writes completions for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Text in single quotes, for bash and zsh. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
