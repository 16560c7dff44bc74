export function build(): Promise<void>;
export function buildCommonJs(folder?: string): Promise<void>;
export function isFresh(): boolean;
