// Preloaded into a measured process: writes its CPU time and memory into the file that BENCH_USAGE
// names.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { peakMb: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
});
