// Loaded by `node --import`: the function of Math that ENDLESS names never ends, and says so on stderr.
import { writeSync } from 'node:fs';

Math[process.env.ENDLESS] = () => {
  writeSync(2, 'computing\n');
  for (;;);
};
