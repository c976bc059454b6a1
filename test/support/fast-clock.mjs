// Loaded before vane by --import, so that a slow machine changes no time that vane reads. Time
// starts at FAST_CLOCK_START and passes only while vane sleeps, FAST_CLOCK_SPEED times as fast.
// No sleep takes longer than FAST_CLOCK_MAX_MS of real time, if that is set.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const speed = Number(process.env.FAST_CLOCK_SPEED);
const maxMs = Number(process.env.FAST_CLOCK_MAX_MS ?? Infinity);
let nowMs = Number(process.env.FAST_CLOCK_START);
const realSleep = timers.setTimeout;

Date.now = () => nowMs;
timers.setTimeout = async (ms, ...rest) => {
  const dueMs = Math.ceil(nowMs + ms);
  const value = await realSleep(Math.min(ms / speed, maxMs), ...rest);
  nowMs = Math.max(nowMs, dueMs);
  return value;
};
syncBuiltinESMExports();
