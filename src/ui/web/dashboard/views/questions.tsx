import { unanswered, type AskedCall } from '../../../../projections/moment/asked-calls.ts'
import type { ApprovalFile } from '../../../../protocol/permissions/approval-file.ts'
import { answerText } from '../../../../protocol/tools/answer-text.ts'
import { ownQuestion, wordsTool } from '../../../../protocol/tools/own-question.ts'
import { ClockTime } from '../parts/times.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { CallInputView } from '../parts/call-input.tsx'
import { runPath } from '../wire/server.ts'
import { useAnswer } from '../wire/use-answer.ts'
import { AnswerForm } from './answer-form.tsx'
import type { RunLook } from './page-props.ts'

/** The questions of a run: those that wait, with all that a person needs to judge them, and those that were answered. */
export function Questions({ look }: { readonly look: RunLook }) {
  const { asked } = look.moment
  const open = unanswered(asked)
  const isPast = look.place.at !== null
  const { files, trouble } = useApprovals(look, open.map(({ request }) => request).join())
  const answered = asked.filter((call) => !open.includes(call)).toSorted((a, b) => endOf(b) - endOf(a))
  return (
    <div class="questions">
      <h2>Waiting</h2>
      {trouble === null ? null : <p class="trouble">{trouble}</p>}
      {open.length === 0 ? <p class="empty">Nobody waits for you.</p> : null}
      {open.map((call) => (
        <OpenQuestion key={call.request} call={call} file={files.get(call.request)} look={look} />
      ))}
      {isPast && open.length > 0 ? <p class="note">This is the past: go back to the present to answer.</p> : null}
      <h2>Answered</h2>
      {answered.length === 0 ? <p class="empty">None so far.</p> : null}
      <ul class="plain">
        {answered.slice(0, 200).map((call) => (
          <Answered key={`${call.member} ${call.request}`} call={call} look={look} />
        ))}
      </ul>
    </div>
  )
}

/** The questions as the server has them, asked for anew whenever others wait. */
function useApprovals({ store: { run }, place }: RunLook, waiting: string) {
  const path = waiting === '' || place.at !== null ? null : runPath(run, '/approvals')
  const { answer, trouble } = useAnswer<{ readonly approvals: readonly ApprovalFile[] }>(path, { again: waiting })
  return { files: new Map((answer?.approvals ?? []).map((each) => [each.id, each])), trouble }
}

interface OpenProps {
  readonly call: AskedCall
  readonly file: ApprovalFile | undefined
  readonly look: RunLook
}

function OpenQuestion({ call, file, look }: OpenProps) {
  const { member, tool, decision, call_id } = call
  const pane = look.moment.panes.panes.get(member)
  const block = pane?.blocks[pane.calls.get(call_id) ?? -1]
  const answerable = look.place.at === null ? (file ?? null) : null
  const isOwn = answerable !== null && ownQuestion(answerable) !== null
  const input = file?.input ?? (block?.kind === 'call' ? block.input : null)
  return (
    <section class="question" aria-label={`${member} asks about ${tool}`}>
      <p class="top">
        <StateMark of="asks" />
        <b>{member}</b>
        <span>{tool}</span>
        <span class="figure">
          <ClockTime at={call.at} />
        </span>
      </p>
      {isOwn ? null : <CallInputView input={input} />}
      <dl class="facts">
        {isOwn ? null : <Row name="Asked because" value={`${decision.rule ?? decision.reason} (${decision.source})`} />}
        <Row name="Task" value={file?.task} />
        {(file?.behind ?? []).map(({ from, kind, text }) => (
          <Row name={`${kind} of ${from}`} value={text} />
        ))}
        {(file?.near ?? []).map(({ behavior, source, rule, why }) => (
          <Row name={`Rule (${source})`} value={`${behavior} ${rule}${why === undefined ? '' : `: ${why}`}`} />
        ))}
      </dl>
      {answerable === null ? null : <AnswerForm file={answerable} run={look.store.run} />}
    </section>
  )
}

function Row({ name, value }: { readonly name: string; readonly value: string | null | undefined }) {
  if (value === null || value === undefined || value === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Answered({ call, look }: { readonly call: AskedCall; readonly look: RunLook }) {
  const { member, tool, answer, call_id } = call
  const pane = look.moment.panes.panes.get(member)
  const block = pane?.blocks[pane.calls.get(call_id) ?? -1]
  return (
    <li class={`answered is-${answer?.decision.behavior ?? 'withdrawn'}`}>
      <ClockTime at={endOf(call)} />
      <b>{member}</b>
      <span class="label">{block?.kind === 'call' ? block.label : tool}</span>
      <span class="state">{answerWords(call)}</span>
    </li>
  )
}

function endOf({ answer, withdrawn_at, at }: AskedCall): number {
  return answer?.at ?? withdrawn_at ?? at
}

function answerWords({ tool, answer }: AskedCall): string {
  if (answer === null) return '– not answered: the question was withdrawn'
  const { decision, by, isEdited } = answer
  const sign = decision.behavior === 'allow' ? '✓' : '✕'
  const changed = isEdited && tool !== wordsTool ? ', with a changed call' : ''
  return `${sign} ${answerText(tool, { ...decision, by: by ?? decision.source })}${changed}`
}
