import type { Io, Terminal } from '../../../io.ts';

const SECOND_MS = 1000;

/** The start of xterm's control sequences, which other terminals share. */
const ESC = '\u001b[';
/** Switches to the alternative screen, and hides the cursor. */
const ENTER = `${ESC}?1049h${ESC}?25l`;
const LEAVE = `${ESC}?1049l${ESC}?25h`;
const CLEAR = `${ESC}2J`;
const BELL = '\u0007';
/** The control sequence that replaces a row of the terminal by a line. Rows count from 0. */
const inRow = (row: number, line: string): string => `${ESC}${row + 1}H${ESC}K${line}`;
/**
 * The control sequence that shows several changes at once, on terminals with synchronized output.
 */
const atOnce = (changes: string): string => `${ESC}?2026h${changes}${ESC}?2026l`;

/**
 * Opens the terminal's alternative screen and redraws it each second and on a resize. Frames do not
 * enter the scrollback, and the former content is restored at the end.
 * @param paint returns the frame as lines that fit the given size; called for each redraw
 */
export function openScreen(
  io: Pick<Io, 'stdout' | 'now' | 'sleep'>,
  terminal: Terminal,
  paint: (room: Pick<Terminal, 'columns' | 'rows'>) => string,
) {
  const { stdout } = io;
  /** The lines that the terminal currently shows. */
  let shown: readonly string[] = [];
  const end = new AbortController();

  function draw(): void {
    // Leave a row for the shell's prompt below the last frame.
    const rows = Math.max(1, terminal.rows - 1);
    const painted = paint({ columns: terminal.columns, rows }).split('\n');
    const lines = Array.from({ length: rows }, (_, row) => painted[row] ?? '');
    const changes = lines.flatMap((line, row) => (line === shown[row] ? [] : inRow(row, line)));
    if (changes.length > 0) stdout.write(atOnce(changes.join('')));
    shown = lines;
  }
  function redraw(): void {
    stdout.write(CLEAR);
    shown = [];
    draw();
  }
  function enter(): void {
    stdout.write(ENTER);
    redraw();
  }
  function leave(): void {
    stdout.write(LEAVE);
  }
  async function tick(): Promise<void> {
    for (;;) {
      await io.sleep(SECOND_MS - (io.now() % SECOND_MS), end.signal);
      draw();
    }
  }

  enter();
  const stopListening = terminal.onResize(redraw);
  const ticking = tick().catch((error) => {
    if (!end.signal.aborted) throw error;
  });
  return {
    refresh(): void {
      if (!end.signal.aborted) draw();
    },
    bell: (): void => void stdout.write(BELL),
    /** Restores the terminal's former content while the function `by` runs. */
    suspend(by: () => void): void {
      leave();
      by();
      enter();
    },
    /**
     * Restores the terminal's former content.
     * @param isLastFrameLeft whether to print the last frame below it
     */
    async close(isLastFrameLeft: boolean): Promise<void> {
      end.abort();
      stopListening();
      leave();
      if (isLastFrameLeft) {
        stdout.write(`${paint({ columns: terminal.columns, rows: terminal.rows - 1 })}\n`);
      }
      await ticking;
    },
  };
}
