import { describe, expect, it } from 'vitest';
import { FORCE_COLOURS, readableInkOn, THEME_COLOURS } from '../../src/domain/palette.ts';
import { contrast, difference, EYES } from '../support/colourDifference.ts';

describe('the palette', () => {
  it.each(Object.entries(EYES))(
    'the palette has colours for neighbouring Beaufort forces that differ by ΔE 10 or more to eyes %s',
    (_, eye) => {
      for (const [index, { hex }] of FORCE_COLOURS.entries()) {
        const next = FORCE_COLOURS[index + 1]?.hex;
        if (next) expect(difference(hex, next, eye)).toBeGreaterThanOrEqual(10);
      }
    },
  );

  it.each(Object.entries(THEME_COLOURS))(
    'the palette has areas that stand out from the %s background and text that is readable on it',
    (_, theme) => {
      for (const { hex } of FORCE_COLOURS) {
        expect(contrast(hex, theme.background)).toBeGreaterThan(1.5);
      }
      // The least contrast of WCAG 2.2, 1.4.3.
      for (const role of ['ink', 'muted', 'mark'] as const) {
        for (const ground of ['background', 'night', 'held', 'heldNight'] as const) {
          expect(contrast(theme[role], theme[ground])).toBeGreaterThan(4.5);
        }
      }
    },
  );
});

it.each(Object.entries(EYES))(
  'the shades for times when a condition held differ between day and night to eyes %s',
  (_, eye) => {
    for (const { night, held, heldNight } of Object.values(THEME_COLOURS)) {
      expect(difference(held, heldNight, eye)).toBeGreaterThan(10);
      expect(difference(night, heldNight, eye)).toBeGreaterThan(10);
    }
  },
);

it('black or white text on the colour of each Beaufort force has a contrast of at least 4.5 (WCAG 2.2)', () => {
  for (const { hex } of FORCE_COLOURS) {
    expect(contrast(hex, readableInkOn(hex))).toBeGreaterThan(4.5);
  }
});
