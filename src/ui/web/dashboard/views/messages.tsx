import { useState } from 'preact/hooks'
import type { ListedMail } from '../../../../projections/moment/mail-list.ts'
import { shortName } from '../../../../projections/screen/short-name.ts'
import { durationText } from '../../../text/figures.ts'
import { ClockTime } from '../parts/times.tsx'
import type { RunLook } from './page-props.ts'

const [columnWidth, rowHeight, headHeight, mostMails] = [120, 40, 36, 200] as const

/** The mail between members as a sequence, the latest at the end; a mail that is chosen shows its words. */
export function Messages({ look: { moment } }: { readonly look: RunLook }) {
  const { list } = moment.mail
  const [from, setFrom] = useState(0)
  const [chosen, choose] = useState<string | null>(null)
  if (list.length === 0) return <p class="empty">No mail was written yet.</p>
  const start = Math.max(0, list.length - mostMails - from)
  const mails = list.slice(start, start + mostMails)
  const names = [...new Set(mails.flatMap((mail) => [mail.from, mail.to]))].filter(isOne)
  const mail = mails.find(({ id }) => id === chosen)
  return (
    <>
      {start === 0 ? null : (
        <button type="button" onClick={() => setFrom(from + mostMails)}>
          {start} earlier
        </button>
      )}
      <div class="scroll sequence" tabIndex={0} role="group" aria-label="Mail between members">
        <div class="lane-names" style={{ width: `${names.length * columnWidth}px` }}>
          {names.map((name) => (
            <span key={name} title={name} style={{ width: `${columnWidth}px` }}>
              {shortName(name, 14)}
            </span>
          ))}
        </div>
        <Lanes names={names} rows={mails.length} />
        <ol class="plain">
          {mails.map((each, row) => (
            <Arrow key={each.id} mail={each} row={row} names={names} choose={choose} isChosen={each.id === chosen} />
          ))}
        </ol>
      </div>
      {mail === undefined ? <p class="note">Choose a message to read it whole.</p> : <Words mail={mail} />}
    </>
  )
}

/** Mail to all has no lane of its own. */
function isOne(name: string): boolean {
  return name !== 'all'
}

function Lanes({ names, rows }: { readonly names: readonly string[]; readonly rows: number }) {
  const height = rows * rowHeight + rowHeight / 2
  return (
    <svg width={names.length * columnWidth} height={height} aria-hidden="true">
      {names.map((name, column) => (
        <line key={name} x1={(column + 0.5) * columnWidth} x2={(column + 0.5) * columnWidth} y2={height} class="lane" />
      ))}
    </svg>
  )
}

interface ArrowProps {
  readonly mail: ListedMail
  readonly row: number
  readonly names: readonly string[]
  readonly isChosen: boolean
  readonly choose: (id: string) => void
}

function Arrow({ mail, row, names, isChosen, choose }: ArrowProps) {
  const [a, b] = [mail.from, mail.to].map((name) => (Math.max(0, names.indexOf(name)) + 0.5) * columnWidth)
  const [from = 0, to = 0] = [a, b]
  const left = Math.min(from, to)
  const width = Math.max(24, Math.abs(to - from))
  const looks = `mail is-${mail.kind}${isChosen ? ' is-chosen' : ''}${mail.died === null ? '' : ' is-dead'}`
  return (
    <li style={{ top: `${headHeight + row * rowHeight}px`, left: `${left}px`, width: `${width}px` }}>
      <button
        type="button"
        class={to < from ? `${looks} is-back` : looks}
        title={`${mail.kind} from ${mail.from} to ${mail.to}, ${stateOf(mail)}`}
        aria-pressed={isChosen}
        onClick={() => choose(mail.id)}
      >
        <span>
          {mail.kind === 'control' && mail.text !== '' ? null : mail.kind}
          <small>{mail.text.slice(0, 120)}</small>
        </span>
      </button>
    </li>
  )
}

function stateOf({ sent_at, received_at, died }: ListedMail): string {
  if (died !== null) return `not delivered: ${died}`
  return received_at === null ? 'on its way' : `taken in after ${durationText(received_at - sent_at)}`
}

function Words({ mail }: { readonly mail: ListedMail }) {
  return (
    <section class="mail-words" aria-label="The mail">
      <h2>
        {mail.kind} from {mail.from} to {mail.to}
      </h2>
      <p class="note">
        <ClockTime at={mail.sent_at} /> · {stateOf(mail)}
      </p>
      <pre>{mail.text}</pre>
    </section>
  )
}
