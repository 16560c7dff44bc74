export function planFile(): string;
