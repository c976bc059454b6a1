// Loaded before vane with --import: its time starts at FAST_CLOCK_START and goes FAST_CLOCK_SPEED
// times as fast, so that a minute between two polls need not be waited for.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const speed = Number(process.env.FAST_CLOCK_SPEED);
const start = Number(process.env.FAST_CLOCK_START);
const realNow = Date.now;
const realSleep = timers.setTimeout;
const begun = realNow();

Date.now = () => Math.floor(start + (realNow() - begun) * speed);
timers.setTimeout = (ms, ...rest) => realSleep(ms / speed, ...rest);
syncBuiltinESMExports();
