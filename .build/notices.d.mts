export declare function noticesOf(files: readonly string[]): string;
