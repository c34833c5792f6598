/** The steps of a mail, each told after it happened: a chaos test kills the process between two of them. */
export const mailSteps = [
  'sent.journaled',
  'tmp.written',
  'new.renamed',
  'reconciled.one',
  'claimed.one',
  'claimed.all',
  'claimed.read',
  'received.journaled',
  'acked.one',
] as const

export type WatchSteps = (step: (typeof mailSteps)[number]) => void
