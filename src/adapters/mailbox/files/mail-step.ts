/** The moments between which a kill may come. Whoever watches hears each after what it names has happened. */
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
