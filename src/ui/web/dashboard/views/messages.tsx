import { useState } from 'preact/hooks'
import type { Letter } from '../../../../projections/moment/letters.ts'
import { durationText } from '../../../text/figures.ts'
import { ClockTime } from '../parts/times.tsx'
import type { RunLook } from './page-props.ts'

const [columnWidth, rowHeight, headHeight, mostLetters] = [116, 40, 36, 200] as const

/** The mail between members as a sequence, the latest at the end; a letter that is chosen shows its words. */
export function Messages({ look: { moment } }: { readonly look: RunLook }) {
  const { list } = moment.letters
  const [from, setFrom] = useState(0)
  const [chosen, choose] = useState<string | null>(null)
  if (list.length === 0) return <p class="empty">No mail was written yet.</p>
  const start = Math.max(0, list.length - mostLetters - from)
  const letters = list.slice(start, start + mostLetters)
  const names = [...new Set(letters.flatMap((letter) => [letter.from, letter.to]))].filter(isOne)
  const letter = letters.find(({ id }) => id === chosen)
  return (
    <>
      {start === 0 ? null : (
        <button type="button" onClick={() => setFrom(from + mostLetters)}>
          {start} earlier
        </button>
      )}
      <div class="scroll sequence" tabIndex={0} role="group" aria-label="Mail between members">
        <Lanes names={names} rows={letters.length} />
        <ol class="plain">
          {letters.map((each, row) => (
            <Arrow key={each.id} letter={each} row={row} names={names} choose={choose} isChosen={each.id === chosen} />
          ))}
        </ol>
      </div>
      {letter === undefined ? null : <Words letter={letter} />}
    </>
  )
}

/** Mail to all has no lane of its own. */
function isOne(name: string): boolean {
  return name !== 'all'
}

function Lanes({ names, rows }: { readonly names: readonly string[]; readonly rows: number }) {
  const height = headHeight + rows * rowHeight
  return (
    <svg width={names.length * columnWidth} height={height} aria-hidden="true">
      {names.map((name, column) => (
        <g key={name} transform={`translate(${(column + 0.5) * columnWidth} 0)`}>
          <line y1={headHeight - 6} y2={height} class="lane" />
          <text y={18} text-anchor="middle" class="lane-name">
            {name.length > 15 ? `${name.slice(0, 14)}…` : name}
          </text>
        </g>
      ))}
    </svg>
  )
}

interface ArrowProps {
  readonly letter: Letter
  readonly row: number
  readonly names: readonly string[]
  readonly isChosen: boolean
  readonly choose: (id: string) => void
}

function Arrow({ letter, row, names, isChosen, choose }: ArrowProps) {
  const [a, b] = [letter.from, letter.to].map((name) => (Math.max(0, names.indexOf(name)) + 0.5) * columnWidth)
  const [from = 0, to = 0] = [a, b]
  const left = Math.min(from, to)
  const width = Math.max(24, Math.abs(to - from))
  const looks = `letter is-${letter.kind}${isChosen ? ' is-chosen' : ''}${letter.died === null ? '' : ' is-dead'}`
  return (
    <li style={{ top: `${headHeight + row * rowHeight}px`, left: `${left}px`, width: `${width}px` }}>
      <button
        type="button"
        class={to < from ? `${looks} is-back` : looks}
        aria-label={`${letter.kind} from ${letter.from} to ${letter.to}, ${stateOf(letter)}`}
        aria-pressed={isChosen}
        onClick={() => choose(letter.id)}
      >
        <span>{letter.kind}</span>
      </button>
    </li>
  )
}

function stateOf({ sent_at, received_at, died }: Letter): string {
  if (died !== null) return `not delivered: ${died}`
  return received_at === null ? 'on its way' : `taken in after ${durationText(received_at - sent_at)}`
}

function Words({ letter }: { readonly letter: Letter }) {
  return (
    <section class="letter-words" aria-label="The letter">
      <h2>
        {letter.kind} from {letter.from} to {letter.to}
      </h2>
      <p class="note">
        <ClockTime at={letter.sent_at} /> · {stateOf(letter)}
      </p>
      <pre>{letter.text}</pre>
    </section>
  )
}
