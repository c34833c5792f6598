import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Block } from '../../../../projections/screen/pane-blocks.ts'
import type { Pane, TextStream } from '../../../../projections/screen/panes.ts'
import { BlockView } from '../parts/block-view.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Unchanged } from '../parts/unchanged.ts'
import type { RunLook } from './page-props.ts'
import { WaitingBanner } from './waiting-banner.tsx'

/** Blocks that are drawn at once; a button shows so many more. */
const blocksAtOnce = 60

/** The words, thoughts and calls of a member, and behind them the text that is being written now. */
export function TranscriptView({ look }: { readonly look: RunLook }) {
  const { moment, member, place } = look
  const pane = moment.panes.panes.get(member)
  const [most, setMost] = useState(blocksAtOnce)
  const end = useEnd(pane, place.at)
  if (pane === undefined) return <p class="empty">Nothing was heard of {member}.</p>
  const hidden = Math.max(0, pane.blocks.length - most)
  return (
    <article class="transcript" aria-label={`Transcript of ${member}`}>
      {hidden === 0 ? null : (
        <button type="button" onClick={() => setMost(most + blocksAtOnce)}>
          {hidden} earlier
        </button>
      )}
      {pane.blocks.slice(hidden).map((block, index) => (
        <Drawn key={hidden + index} block={block} />
      ))}
      <Stream stream={pane.thinking} kind="think" />
      <Stream stream={pane.saying} kind="say" />
      {pane.gap ? <p class="note">Some of this text did not arrive; the journal will have it.</p> : null}
      {pane.blocks.length === 0 ? <p class="empty">{member} has said nothing yet.</p> : null}
      <WaitingBanner look={look} of={member} />
      <div ref={end} />
    </article>
  )
}

function Drawn({ block }: { readonly block: Block }) {
  return <Unchanged of={[block]} draw={() => <BlockView block={block} />} />
}

interface StreamProps {
  readonly stream: TextStream
  readonly kind: 'think' | 'say'
}

function Stream({ stream: { finished, open }, kind }: StreamProps) {
  if (finished.length === 0 && open === '') return null
  return (
    <div class={`stream is-${kind}`}>
      {finished.map((section, index) => (
        <Unchanged key={index} of={[section]} draw={() => <Markdown text={section.text} />} />
      ))}
      <Markdown text={open} />
    </div>
  )
}

/** Stays at the end of a transcript while its reader is there. */
function useEnd(pane: Pane | undefined, at: number | null) {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const scroller = end.current?.closest('main')
    if (!scroller) return undefined
    const look = (): void => {
      isAtEnd.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80
    }
    scroller.addEventListener('scroll', look, { passive: true })
    return () => scroller.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    const scroller = end.current?.closest('main')
    if (scroller && isAtEnd.current) scroller.scrollTop = scroller.scrollHeight
  }, [pane?.name, pane?.blocks.length, pane?.saying.open.length, pane?.thinking.open.length, at])
  return end
}
