import bash from './script.bash?text';
import fish from './script.fish?text';
import powershell from './script.ps1?text';
import zsh from './script.zsh?text';

/**
 * The completion script of each shell. It runs `vane completion words` to complete the words at the
 * cursor.
 */
export const COMPLETION_SCRIPTS = { bash, zsh, fish, powershell } as const;

export type Shell = keyof typeof COMPLETION_SCRIPTS;
export const SHELLS = Object.keys(COMPLETION_SCRIPTS) as readonly Shell[];
