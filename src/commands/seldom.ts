// These commands are one file of the build. Each file that commands load by themselves divides the
// code that they share with other commands into more chunks, and `live` starts later by each chunk.
export * as cache from './cache/command.ts';
export * as config from './config/command.ts';
export * as man from './man/command.ts';
