// The commands that read history, in one file of the build, as in everyday.ts.
export { declareCommand as archive } from './archive/command.ts';
export { declareCommand as plot } from './plot/command.ts';
export { declareCommand as stats } from './stats/command.ts';
