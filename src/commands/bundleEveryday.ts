// The build puts these commands into one file: they share most of their code, and opening a second
// file takes longer than loading all of them.
export { declareCommand as cache } from './cache/command.ts';
export { declareCommand as completion } from './completion/command.ts';
export { declareCommand as config } from './config/command.ts';
export { declareCommand as live } from './live/command.ts';
export { declareCommand as meta } from './meta/command.ts';
