import type { Command } from 'commander';
import {
  type CompletionCandidate,
  type CompletionOffers,
  completeWords,
  splitShellLine,
  type UserWords,
} from '../../completions/complete.ts';
import { COMPLETION_SCRIPTS, type Shell } from '../../completions/scripts.ts';
import { firstCharacters, printable } from '../../domain/text.ts';
import { readConfig } from '../../flags/config.ts';
import { listFavourites } from '../../flags/favourites.ts';
import { type Config, EMPTY_CONFIG, isSettingKey, SETTING_KEYS } from '../../flags/settings.ts';
import type { Io } from '../../io.ts';
import { writeToStream } from '../../output/write.ts';
import { readStationList } from '../../service/disk/liveCache.ts';
import { openUserCache } from '../../service/disk/userCache.ts';

export async function runCompletionScript(shell: Shell, io: Io): Promise<void> {
  await writeToStream(io.stdout, COMPLETION_SCRIPTS[shell]);
}

interface WordsOptions {
  /**
   * The root of the command tree. Only the subcommands named in `typed` have their options loaded.
   */
  readonly program: Command;
  readonly typed: readonly string[];
  /**
   * Whether the shell split `typed` at every blank, even within quotes, so that it must be split
   * again.
   */
  readonly isLine: boolean;
}

/** Maximum length of a meaning, so that word and meaning fit on one line. */
const MAX_MEANING_LENGTH = 79;

/**
 * Prints the possible words at the cursor: first their kind (`words`, `files`, …), then one line
 * for each word, `word<TAB>meaning`. Never throws, since an error message would disturb the command
 * line.
 */
export async function runCompletionWords(
  { program, typed, isLine }: WordsOptions,
  io: Io,
): Promise<void> {
  const words = isLine ? splitShellLine(typed.join(' ')) : typed;
  const nothing: CompletionOffers = { kind: 'words', candidates: [] };
  const offers = await completeWords(program, words, knownTo(io)).catch(() => nothing);
  const lines = offers.candidates.map(([word, meaning]) =>
    meaning
      ? `${printable(word)}\t${firstCharacters(meaning.trim(), MAX_MEANING_LENGTH)}`
      : printable(word),
  );
  io.stdout.write([offers.kind, ...lines, ''].join('\n'));
}

/**
 * Reads words to offer from the user's cache and configuration. Files that cannot be read are
 * ignored.
 */
function knownTo(io: Io): UserWords {
  const config = (): Config => {
    try {
      return readConfig(io);
    } catch {
      return EMPTY_CONFIG;
    }
  };
  return {
    favourites: () =>
      listFavourites(config()).map(({ name, station }): CompletionCandidate => [name, station]),
    keys: () => [
      ...SETTING_KEYS.map((key): CompletionCandidate => [key]),
      ...[...config()].filter(([key]) => !isSettingKey(key)),
    ],
    async stations() {
      const stations = await readStationList(openUserCache(io, false, () => {}));
      return stations.map(({ id, name }) => [String(id), name]);
    },
  };
}
