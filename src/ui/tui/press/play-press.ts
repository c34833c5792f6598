import type { MailItem } from '../../../runtime/mail/inspect-mail.ts'
import type { PlayAct, Playback } from '../../../runtime/replay/play-run.ts'
import { actOf, listKeys, mainKeys, playKeys, typedStroke, type Binding, type Stroke } from '../state/keys.ts'
import type { Order, Ui } from '../state/ui.ts'

const members = ['mark', 'mark_all', 'choose_model', 'choose_mode', 'stop', 'restart']
const sending = ['mail', 'steer', 'interrupt', 'mode', 'write', ...members]
const acting: ReadonlySet<string> = new Set(sending)
const reading: ReadonlySet<string> = new Set(['leave', 'redraw', 'copy', 'open', 'view'])

/**
 * The acts of a key on a recorded run that is played; `refused` where the key would reach a run that is.
 * @returns null when the key does what it does otherwise
 */
export function playPressed(ui: Ui, stroke: Stroke): readonly PlayAct[] | 'refused' | null {
  if (ui.overlay !== null) return null
  // A key that is held down may come several times at once.
  const acts = stroke.text.split('').flatMap((key) => actOf(playKeys, typedStroke(key)) ?? [])
  if (acts.length > 0) return acts
  const act = actOf(ui.view === 'list' ? listKeys : mainKeys, stroke)
  if (act !== null) return acting.has(act) ? 'refused' : null
  return stroke.text !== '' && ui.view === 'panes' ? 'refused' : null
}

/** Whether an order only looks. */
export function isReading({ type }: Order): boolean {
  return reading.has(type)
}

/** The words for a key or an order that a recorded run does not take. */
export function replayText({ entry }: Playback): string {
  const way = entry === null ? '' : ` · troupe fork --at ${entry} goes on from here`
  return `nothing is sent in a replay${way}`
}

/** The keys that a recorded run takes. */
export function playedKeys(map: readonly Binding[]): readonly Pick<Binding, 'keys' | 'does'>[] {
  return [...playKeys, ...map.filter(({ act }) => !acting.has(act))]
}

/** The mail that was written by the moment which is played. */
export function mailBy({ at }: Playback, mail: readonly MailItem[]): readonly MailItem[] {
  return mail.filter(({ envelope }) => envelope !== null && at !== null && envelope.sent_at <= at)
}
