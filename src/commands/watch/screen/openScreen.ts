import ansiEscapes from 'ansi-escapes';
import { createLogUpdate } from 'log-update';
import type { Io, Terminal } from '../../../io.ts';

const SECOND_MS = 1000;

/**
 * Opens the terminal's alternative screen, which is redrawn each second and on a resize: frames do
 * not enter the scroll-back, and the former content returns at the end.
 * @param paint gives the frame as lines that fit the room; called at each drawing
 */
export function openScreen(
  io: Pick<Io, 'stdout' | 'now' | 'sleep'>,
  terminal: Terminal,
  paint: (room: Pick<Terminal, 'columns' | 'rows'>) => string,
) {
  const { stdout } = io;
  const frame = createLogUpdate(stdout as NodeJS.WriteStream, {
    showCursor: true,
    defaultWidth: terminal.columns,
    defaultHeight: terminal.rows,
  });
  const end = new AbortController();

  function draw(): void {
    // Leave the last row of the terminal empty: the line break at the end of a frame would scroll.
    const rows = Math.max(1, terminal.rows - 1);
    const lines = paint({ columns: terminal.columns, rows }).split('\n').slice(0, rows);
    // Draw every frame with the same height: log-update leaves traces of lines that move down.
    frame(`${[...lines, ...Array<string>(rows - lines.length).fill('')].join('\n')}\n`);
  }
  function redraw(): void {
    stdout.write(ansiEscapes.clearViewport);
    frame.done();
    draw();
  }
  function enter(): void {
    stdout.write(ansiEscapes.enterAlternativeScreen + ansiEscapes.cursorHide);
    redraw();
  }
  function leave(): void {
    stdout.write(ansiEscapes.exitAlternativeScreen + ansiEscapes.cursorShow);
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
    bell: (): void => void stdout.write(ansiEscapes.beep),
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
