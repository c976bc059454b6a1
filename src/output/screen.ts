import ansiEscapes from 'ansi-escapes';
import { createLogUpdate } from 'log-update';
import type { Io, Terminal } from '../io.ts';

/** What a frame has to fit. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** A screen that is drawn over and over in place. */
export interface Screen {
  /** Draws now; without a word it is drawn each second. */
  refresh(): void;
  bell(): void;
  /**
   * Leaves the terminal as it was before.
   * @param isLastFrameLeft whether what was shown last stays to be read
   */
  close(isLastFrameLeft: boolean): Promise<void>;
}

const SECOND_MS = 1000;

/**
 * Takes over the terminal, on its second screen where it has one: nothing goes to the scroll-back,
 * a resize does not fold lines that are to be drawn over, and what stood there comes back.
 * @param paint the frame as lines that fit, asked for at each drawing
 */
export function openScreen(
  io: Pick<Io, 'stdout' | 'now' | 'sleep'>,
  terminal: Terminal,
  paint: (room: Room) => string,
): Screen & { suspend(by: () => void): void } {
  const { stdout } = io;
  const frame = createLogUpdate(stdout as NodeJS.WriteStream, {
    showCursor: true,
    defaultWidth: terminal.columns,
    defaultHeight: terminal.rows,
  });
  const end = new AbortController();

  function draw(): void {
    // log-update ends a frame with a line break, which must not scroll the last row away.
    const rows = Math.max(1, terminal.rows - 1);
    const lines = paint({ columns: terminal.columns, rows }).split('\n').slice(0, rows);
    // Of one height always: log-update loses lines that move down.
    frame(`${[...lines, ...Array<string>(rows - lines.length).fill('')].join('\n')}\n`);
  }
  function enter(): void {
    stdout.write(ansiEscapes.enterAlternativeScreen + ansiEscapes.cursorHide);
    redraw();
  }
  function leave(): void {
    stdout.write(ansiEscapes.exitAlternativeScreen + ansiEscapes.cursorShow);
  }
  function redraw(): void {
    stdout.write(ansiEscapes.clearViewport);
    frame.done();
    draw();
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
    refresh() {
      if (!end.signal.aborted) draw();
    },
    bell: () => void stdout.write(ansiEscapes.beep),
    suspend(by) {
      leave();
      by();
      enter();
    },
    async close(isLastFrameLeft) {
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
