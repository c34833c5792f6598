/**
 * What a quiet lead is told once when something is still open, so that a run never waits for ever without a word.
 * `nudgeText(['r2'])`.
 */
export function nudgeText(open: readonly string[]): string {
  return [
    'Everybody is quiet, but this is still open:',
    ...open.map((item) => `- ${item}`),
    'Deal with it or answer without it, and say so.',
  ].join('\n')
}
