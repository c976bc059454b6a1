// Commands that share most of their code are one file of the build: opening a further file takes
// longer than the code of all of them.
export { declareCommand as cache } from './cache/command.ts';
export { declareCommand as completion } from './completion/command.ts';
export { declareCommand as config } from './config/command.ts';
export { declareCommand as live } from './live/command.ts';
export { declareCommand as man } from './man/command.ts';
export { declareCommand as meta } from './meta/command.ts';
