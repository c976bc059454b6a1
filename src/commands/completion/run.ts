import type { Command } from 'commander';
import {
  type CompletionCandidate,
  type CompletionOffers,
  complete,
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
  /** The root of the command tree. Only the subcommands in `typed` have their options. */
  readonly program: Command;
  readonly typed: readonly string[];
  /**
   * Whether the shell cut the words of `typed` at every blank, even within quotes, so that they
   * have to be split anew.
   */
  readonly isLine: boolean;
}

/** Most characters of a meaning before the ellipsis: word and meaning should fit on a line. */
const MAX_MEANING_LENGTH = 79;

/**
 * Prints which words may stand at the cursor: the kind of the offers (`words`, `files` …), then a
 * line for each candidate, `word<TAB>meaning`. Never fails, since an error message would disturb
 * the command line being typed.
 */
export async function runCompletionWords(
  { program, typed, isLine }: WordsOptions,
  io: Io,
): Promise<void> {
  const words = isLine ? splitShellLine(typed.join(' ')) : typed;
  const nothing: CompletionOffers = { kind: 'words', candidates: [] };
  const offers = await complete(program, words, knownTo(io)).catch(() => nothing);
  const lines = offers.candidates.map(([word, meaning]) =>
    meaning
      ? `${printable(word)}\t${firstCharacters(meaning.trim(), MAX_MEANING_LENGTH)}`
      : printable(word),
  );
  io.stdout.write([offers.kind, ...lines, ''].join('\n'));
}

/** Words to offer, from this user's cache and configuration; none where a file cannot be read. */
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
