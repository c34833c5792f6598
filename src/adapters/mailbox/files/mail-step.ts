/** The steps of a mail, each told after it happened: a chaos test kills the process between two of them. */
export const mailSteps = [
  'sent.journaled',
  'tmp.written',
  'new.linked',
  'reconciled.one',
  'claimed.one',
  'claimed.all',
  'received.journaled',
  'acked.one',
] as const

export type MailStep = (typeof mailSteps)[number]

export type WatchSteps = (step: MailStep) => void

export const unwatched: WatchSteps = () => undefined
