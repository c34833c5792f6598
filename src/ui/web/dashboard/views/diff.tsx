import { tokensOf, type Spending } from '../../../../projections/cost/cost.ts'
import type { ComparedWork, Sides } from '../../../../projections/work/compare-work.ts'
import { costText, durationText, tokensText } from '../../../text/figures.ts'
import { runPath } from '../wire/server.ts'
import { useAnswer } from '../wire/use-answer.ts'
import type { RunLook } from './page-props.ts'

interface ComparedRun extends Pick<Spending, 'answers' | 'usage' | 'cost_usd'> {
  readonly run: string
  readonly status: string | null
  readonly duration_ms: number
}

/** Two runs as the server compares them. */
interface Comparison {
  readonly a: ComparedRun
  readonly b: ComparedRun
  readonly team: readonly string[]
  readonly work: readonly ComparedWork[]
  readonly files: readonly ({ readonly path: string } & Sides<string>)[]
  readonly same: boolean
}

interface Listed {
  readonly runs: readonly { readonly id: string; readonly task: string | null }[]
}

/** The whole run beside another one of the same directory, task by task. */
export function DiffView({ look: { place, go } }: { readonly look: RunLook }) {
  const { other } = place
  const listed = useAnswer<Listed>('/api/runs')
  const path = other === null ? null : runPath(place.run ?? '', `/diff/${encodeURIComponent(other)}`)
  const { answer, trouble } = useAnswer<Comparison>(path)
  const others = listed.answer?.runs.filter(({ id }) => id !== place.run) ?? []
  if (listed.answer !== null && others.length === 0 && other === null)
    return <p class="empty">This directory has no other run to compare this one with.</p>
  const isListed = other === null || others.some(({ id }) => id === other)
  return (
    <>
      <label class="other-run">
        <span>Compare with</span>
        <select
          value={other ?? ''}
          onChange={({ currentTarget: { value } }) => go({ ...place, other: value === '' ? null : value })}
        >
          <option value="">a run …</option>
          {isListed ? null : <option value={other}>{other}</option>}
          {others.map(({ id, task }) => (
            <option key={id} value={id}>
              {task === null ? id : `${id}: ${task.slice(0, 60)}`}
            </option>
          ))}
        </select>
      </label>
      {listed.trouble === null ? null : <p class="trouble">{listed.trouble}</p>}
      {trouble === null ? null : <p class="trouble">{trouble}</p>}
      {other === null ? <p class="empty">Path, answers, files and cost are compared, task by task.</p> : null}
      {path !== null && answer === null && trouble === null ? <p class="empty">Comparing …</p> : null}
      {answer === null ? null : <Compared runs={answer} />}
    </>
  )
}

function Compared({ runs: { a, b, team, work, files, same } }: { readonly runs: Comparison }) {
  return (
    <>
      <p class="verdict" role="status">
        {same ? 'The same path, answers and files.' : 'The runs differ.'}
      </p>
      <Figures a={a} b={b} />
      {team.length === 0 ? null : <p class="note">The team of the other run differs in: {team.join('; ')}</p>}
      {work.map((piece, index) => (
        <Work key={index} piece={piece} />
      ))}
      {files.length === 0 ? null : <h2>Files</h2>}
      <ul class="plain">
        {files.map(({ path, a: first, b: second }) => (
          <li key={path}>
            <code>{path}</code>: {fileWords(first, second)}
          </li>
        ))}
      </ul>
    </>
  )
}

const figures: readonly (readonly [string, (run: ComparedRun) => string])[] = [
  ['Status', ({ status }) => status ?? 'not ended'],
  ['Answers', ({ answers }) => String(answers)],
  ['Tokens', ({ usage }) => tokensText(tokensOf(usage))],
  ['Cost', ({ cost_usd }) => costText(cost_usd)],
  ['Time', ({ duration_ms }) => durationText(duration_ms)],
]

function Figures({ a, b }: Pick<Comparison, 'a' | 'b'>) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Figures">
      <table class="sums">
        <thead>
          <tr>
            <th>Figure</th>
            <th title={a.run}>This run</th>
            <th title={b.run}>Other run</th>
          </tr>
        </thead>
        <tbody>
          {figures.map(([name, of]) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{of(a)}</td>
              <td>{of(b)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sides = { both: ['line', ' '], a: ['line was', '-'], b: ['line is', '+'] } as const

function Work({ piece: { member, task, path, spending, answer } }: { readonly piece: ComparedWork }) {
  const title = `${member}: ${task.a ?? task.b ?? ''}`.split('\n')[0] ?? member
  const costs = [spending.a, spending.b].map((spent) => (spent === null ? '–' : costText(spent.cost_usd)))
  const answers = answer.a === answer.b ? [] : [...linesOf('a', answer.a), ...linesOf('b', answer.b)]
  return (
    <section class="compared" aria-label={title}>
      <h2>
        {title}
        {onlyIn(task)}
      </h2>
      <Lines name={`Path: ${title}`} lines={path.map((step) => [step.in, step.label] as const)} />
      {answers.length === 0 ? <p class="note">the same answer</p> : <Lines name={`Answer: ${title}`} lines={answers} />}
      <p class="note">cost: {costs.join(' → ')}</p>
    </section>
  )
}

function onlyIn({ a, b }: Sides<string>): string {
  if (a === null) return ' (only in the other run)'
  return b === null ? ' (only in this run)' : ''
}

type Line = readonly ['both' | 'a' | 'b', string]

function linesOf(side: 'a' | 'b', text: string | null): readonly Line[] {
  return text === null || text === '' ? [] : text.split('\n').map((line) => [side, line] as const)
}

function Lines({ name, lines }: { readonly name: string; readonly lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <pre class="diff" tabIndex={0} role="group" aria-label={name}>
      {lines.map(([side, text], index) => (
        <span key={index} class={sides[side][0]}>
          {sides[side][1]} {text}
        </span>
      ))}
    </pre>
  )
}

function fileWords(a: string | null, b: string | null): string {
  if (a === null) return 'only the other run wrote it'
  return b === null ? 'only this run wrote it' : 'other contents'
}
