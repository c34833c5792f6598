import type { Block, CallBlock, SaidBlock } from '../../../../projections/screen/pane-blocks.ts'
import { durationText } from '../../../text/figures.ts'
import { CallInputView } from './call-input.tsx'
import { Markdown } from './markdown.tsx'

/** One block of a member's transcript. */
export function BlockView({ block }: { readonly block: Block }) {
  return block.kind === 'call' ? <CallView call={block} /> : <SaidView said={block} />
}

const stateWords = {
  asked: 'not begun',
  waiting: 'asks you',
  running: 'runs',
  done: 'done',
  failed: 'failed',
  neutral: 'ended',
} as const satisfies Readonly<Record<CallBlock['state'], string>>

function CallView({ call }: { readonly call: CallBlock }) {
  const { state, label, ending, duration_ms, input, result, progress } = call
  const word = ending === '' ? stateWords[state] : ending
  return (
    <details class={`call is-${state}`}>
      <summary>
        <span class="label">{label}</span>
        <span class="state">{word}</span>
        {duration_ms === null ? null : <span class="figure">{durationText(duration_ms)}</span>}
      </summary>
      <CallInputView input={input} />
      {result === '' ? null : (
        <pre class="result" tabIndex={0}>
          <code>{shortened(result)}</code>
        </pre>
      )}
      {result === '' && progress !== '' ? (
        <pre class="result" tabIndex={0}>
          {progress}
        </pre>
      ) : null}
    </details>
  )
}

/** Kinds of which the text is the thing itself; texts of the others unfold. */
function SaidView({ said: { kind, head, text } }: { readonly said: SaidBlock }) {
  if (kind === 'say') return <Markdown text={shortened(text)} />
  if (kind === 'think')
    return (
      <details class="think">
        <summary>thinking</summary>
        <div class="words">{shortened(text)}</div>
      </details>
    )
  if (kind === 'person' || kind === 'end')
    return (
      <section class={`said is-${kind}`}>
        <p class="head">{head}</p>
        <Markdown text={shortened(text)} />
      </section>
    )
  if (text.trim() === '') return <p class={`note is-${kind}`}>{head}</p>
  return (
    <details class={`note is-${kind}`}>
      <summary>
        {head}
        <span class="preview">{text.slice(0, 140)}</span>
      </summary>
      <div class="words">{shortened(text)}</div>
    </details>
  )
}

/** Characters of one text that are shown: the page stays quick with results of any length. */
const mostShown = 60_000

function shortened(text: string): string {
  if (text.length <= mostShown) return text
  const half = mostShown / 2
  return `${text.slice(0, half)}\n… ${text.length - mostShown} characters …\n${text.slice(-half)}`
}
