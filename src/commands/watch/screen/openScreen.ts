import type { Io, Terminal } from '../../../io.ts';

const SECOND_MS = 1000;

/** Control sequences of xterm, which terminals have in common. */
const ESC = '\u001b[';
/** Switches to the alternative screen, and hides the cursor. */
const ENTER = `${ESC}?1049h${ESC}?25l`;
const LEAVE = `${ESC}?1049l${ESC}?25h`;
const CLEAR = `${ESC}2J`;
const BELL = '\u0007';
/** The control sequence that replaces a row of the terminal by a line; the first row is 0. */
const inRow = (row: number, line: string): string => `${ESC}${row + 1}H${ESC}K${line}`;
/**
 * The control sequence of changes that a terminal shows all at once, if it supports synchronized
 * output.
 */
const atOnce = (changes: string): string => `${ESC}?2026h${changes}${ESC}?2026l`;

/**
 * Opens the terminal's alternative screen, which is redrawn each second and on a resize: frames
 * do not enter the scroll-back, and the former content returns at the end.
 * @param paint returns the frame as lines that fit the room; called at each drawing
 */
export function openScreen(
  io: Pick<Io, 'stdout' | 'now' | 'sleep'>,
  terminal: Terminal,
  paint: (room: Pick<Terminal, 'columns' | 'rows'>) => string,
) {
  const { stdout } = io;
  /** The lines that the terminal shows now. */
  let shown: readonly string[] = [];
  const end = new AbortController();

  function draw(): void {
    // All frames have the height of the last one, below which the shell's prompt has a row.
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
    /** Shows what the terminal showed before vane, while the function `by` runs. */
    suspend(by: () => void): void {
      leave();
      by();
      enter();
    },
    /** Restores the terminal. @param isLastFrameLeft whether to print the last frame */
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
