import { diffLines } from 'diff'
import { isRecord } from '../../../../protocol/words/is-record.ts'

/** The input of a call as a person reads it: a command, the change of a file, else all of it as JSON. */
export function CallInputView({ input }: { readonly input: unknown }) {
  const fields = isRecord(input) ? input : {}
  const text = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null)
  const [path, command, content] = [text('file_path'), text('command'), text('content')]
  const edits = editsIn(fields)
  if (command !== null)
    return (
      <pre class="command" tabIndex={0}>
        <code>{command}</code>
      </pre>
    )
  if (path !== null && edits.length > 0)
    return (
      <>
        <p class="path">{path}</p>
        {edits.map((edit) => (
          <LineDiff {...edit} />
        ))}
      </>
    )
  if (path !== null && content !== null)
    return (
      <>
        <p class="path">{path} (the whole file)</p>
        <LineDiff before="" after={content} />
      </>
    )
  if (path !== null && Object.keys(fields).length === 1) return <p class="path">{path}</p>
  return (
    <pre tabIndex={0}>
      <code>{JSON.stringify(input, null, 2) ?? ''}</code>
    </pre>
  )
}

interface Edit {
  readonly before: string
  readonly after: string
}

function editsIn(fields: Readonly<Record<string, unknown>>): readonly Edit[] {
  const list = Array.isArray(fields['edits']) ? (fields['edits'] as readonly unknown[]) : [fields]
  return list.flatMap((each) => {
    const { old_string: before, new_string: after } = (each ?? {}) as Readonly<Record<string, unknown>>
    return typeof before === 'string' && typeof after === 'string' ? [{ before, after }] : []
  })
}

/** Longer texts are shown one after the other instead of compared: the page may not stand still. */
const mostCompared = 100_000

/** Two texts line by line: what went has a minus, what came a plus. */
function LineDiff({ before, after }: Edit) {
  const isShort = before.length + after.length <= mostCompared
  const parts = isShort
    ? diffLines(before, after)
    : [
        { value: before, removed: true, added: false },
        { value: after, removed: false, added: true },
      ]
  return (
    <pre class="diff" tabIndex={0}>
      {parts.flatMap(({ value, removed, added }) =>
        value
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => <DiffLine line={line} sign={signOf(removed, added)} />),
      )}
    </pre>
  )
}

type Sign = '-' | '+' | ' '

function signOf(removed: boolean, added: boolean): Sign {
  if (removed) return '-'
  return added ? '+' : ' '
}

const signWords = { '-': 'was', '+': 'is', ' ': 'same' } as const

function DiffLine({ line, sign }: { readonly line: string; readonly sign: Sign }) {
  return (
    <span class={`line ${signWords[sign]}`}>
      {sign} {line}
      {'\n'}
    </span>
  )
}
