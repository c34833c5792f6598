import { useEffect, useRef, useState } from 'preact/hooks'
import type { TranscriptLine } from '../../../../projections/screen/transcript.ts'
import { ClockTime } from '../parts/times.tsx'
import { hashOf } from '../state/place.ts'
import type { RunLook } from './page-props.ts'

const linesAtOnce = 80

/** All that happened, the latest first, with a search; a line leads to its moment. */
export function Logs({ look }: { readonly look: RunLook }) {
  const [words, setWords] = useState('')
  const [most, setMost] = useState(linesAtOnce)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { lines } = look.moment.panes.log
  const found = foundIn(lines, words, most)
  return (
    <>
      <label class="search">
        <span>Search</span>
        <input
          ref={field}
          type="search"
          value={words}
          placeholder="words, a member, a kind"
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
      </label>
      <p class="note" role="status">
        {words === ''
          ? `${lines.length} lines`
          : `${found.length}${found.length === most ? ' or more' : ''} of ${lines.length} lines`}
      </p>
      <ol class="plain log">
        {found.map((line, index) => (
          <LogLine key={index} line={line} look={look} />
        ))}
      </ol>
      {found.length < most ? null : (
        <button type="button" onClick={() => setMost(most + linesAtOnce)}>
          More
        </button>
      )}
    </>
  )
}

/** The latest lines that hold all of the words. */
function foundIn(lines: readonly TranscriptLine[], words: string, most: number): readonly TranscriptLine[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found: TranscriptLine[] = []
  for (let index = lines.length - 1; index >= 0 && found.length < most; index -= 1) {
    const line = lines[index]
    if (line === undefined) continue
    const text = wanted.length === 0 ? '' : `${line.owner} ${line.kind} ${line.head} ${line.text}`.toLowerCase()
    if (wanted.every((word) => text.includes(word))) found.push(line)
  }
  return found
}

function LogLine({
  line: { entry, at, owner, kind, head, text },
  look,
}: {
  readonly line: TranscriptLine
  readonly look: RunLook
}) {
  const number = look.store.numberOf(entry)
  const moment = hashOf({ ...look.place, view: 'overview', at: Number.isFinite(number) ? number : null })
  return (
    <li class={`log-line is-${kind}`}>
      <a href={moment} title={`The moment of ${entry}`}>
        <ClockTime at={at} />
      </a>
      <b>{owner}</b>
      <span class="kind">{kind}</span>
      <span class="said-text">
        {head === '' ? '' : `${head} `}
        <span class="preview">{text.slice(0, 300)}</span>
      </span>
    </li>
  )
}
