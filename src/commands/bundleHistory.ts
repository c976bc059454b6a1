// The build puts the commands that read history into one file: they share most of their code, and
// opening a second file takes longer than loading all of them.
export { declareCommand as archive } from './archive/command.ts';
export { declareCommand as plot } from './plot/command.ts';
export { declareCommand as stats } from './stats/command.ts';
