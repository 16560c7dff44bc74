export function clientSource(document: object): string;
