#!/usr/bin/env node
// Node 22.8 and later keep what they have compiled.
require('node:module').enableCompileCache?.();
require('../dist/main.cjs');
