// Loaded before vane by --import: vane reads the time FROZEN_CLOCK, so that its output is fixed.
const nowMs = Number(process.env.FROZEN_CLOCK);
Date.now = () => nowMs;
