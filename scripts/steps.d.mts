export function step(text: string): void
