import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

export declare const textPlugin: EsbuildPlugin;
export declare const viteTextPlugin: Plugin;
