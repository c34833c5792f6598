import { useState } from 'preact/hooks'
import { changeableText, changedInput } from '../../../../projections/screen/changed-call.ts'
import type { ApprovalFile } from '../../../../protocol/permissions/approval-file.ts'
import { ownQuestion } from '../../../../protocol/tools/own-question.ts'
import type { OpenQuestion } from '../../../../protocol/tools/own-question.ts'
import { postJson, runPath } from '../wire/server.ts'

interface FormProps {
  readonly file: ApprovalFile
  readonly run: string
}

/** The answer of the server: whether this one counted, else which one did. */
interface Outcome {
  readonly won: boolean
  readonly answer: { readonly behavior: string; readonly by: string }
}

/** Answers a question: words for a question of the member's own, else a decision about the call. */
export function AnswerForm({ file, run }: FormProps) {
  const [words, setWords] = useState('')
  const send = async (answer: object): Promise<void> => {
    setWords('Sending …')
    const path = runPath(run, `/approvals/${encodeURIComponent(file.id)}`)
    await postJson<Outcome>(path, answer).then(
      ({ won, answer: first }) => setWords(won ? 'Answered.' : `${first.by} was faster: ${first.behavior}.`),
      (error: Error) => setWords(error.message),
    )
  }
  const own = ownQuestion(file)
  return (
    <>
      {own === null ? <CallForm file={file} send={send} /> : <WordsForm question={own} send={send} />}
      <p role="status" class="sent">
        {words}
      </p>
    </>
  )
}

interface SendProps {
  readonly send: (answer: object) => Promise<void>
}

function CallForm({ file, send }: SendProps & { readonly file: ApprovalFile }) {
  const [advice, setAdvice] = useState('')
  const [edited, setEdited] = useState<string | null>(null)
  const changed = edited === null ? null : changedInput(file, edited)
  const trouble = changed !== null && 'trouble' in changed ? changed.trouble : null
  const said = advice.trim() === '' ? {} : { advice: advice.trim() }
  const input = changed !== null && 'input' in changed ? { updated_input: changed.input } : {}
  const answer = (behavior: 'allow' | 'deny', scope: 'once' | 'session' | 'stop'): void =>
    void send({ behavior, scope, ...(behavior === 'allow' ? input : said) })
  return (
    <form class="answer" onSubmit={(event) => event.preventDefault()}>
      {edited === null ? null : <EditField text={edited} trouble={trouble} change={setEdited} />}
      <label>
        <span>Why not, or what else to do: told to the member with a denial</span>
        <input type="text" value={advice} onInput={({ currentTarget }) => setAdvice(currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" class="yes" disabled={trouble !== null} onClick={() => answer('allow', 'once')}>
          {edited === null ? 'Allow once' : 'Allow as edited'}
        </button>
        {file.grants.session.length === 0 || edited !== null ? null : (
          <button type="button" onClick={() => answer('allow', 'session')}>
            Allow {file.grants.session.join(', ')} in this run
          </button>
        )}
        <button type="button" onClick={() => setEdited(edited === null ? changeableText(file) : null)}>
          {edited === null ? 'Edit the call' : 'Undo the edit'}
        </button>
        <button type="button" class="no" onClick={() => answer('deny', 'once')}>
          Deny
        </button>
        <button type="button" class="no" onClick={() => answer('deny', 'stop')}>
          Deny and stop the work
        </button>
      </div>
    </form>
  )
}

interface EditProps {
  readonly text: string
  readonly trouble: string | null
  readonly change: (text: string) => void
}

function EditField({ text, trouble, change }: EditProps) {
  return (
    <label>
      <span>The call as it will run; the rules judge it again</span>
      <textarea
        rows={Math.min(16, text.split('\n').length + 1)}
        value={text}
        aria-invalid={trouble !== null}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {trouble === null ? null : <span class="trouble">{trouble}</span>}
    </label>
  )
}

function WordsForm({ question: asked, send }: SendProps & { readonly question: OpenQuestion }) {
  const { question, options, details = [], several, heading } = asked
  const [words, setWords] = useState('')
  const answer = (advice: string): void => void send({ behavior: 'allow', advice })
  const pick = (option: string): void => {
    if (several) setWords(words === '' ? option : `${words}, ${option}`)
    else answer(option)
  }
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault()
        answer(words)
      }}
    >
      <p class="asked">{heading === undefined ? question : `${question} (${heading})`}</p>
      <div class="buttons">
        {options.map((option, n) => (
          <button type="button" key={option} onClick={() => pick(option)}>
            {option}
            {details[n] ? <small> {details[n]}</small> : null}
          </button>
        ))}
      </div>
      <label>
        <span>Your answer</span>
        <input type="text" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="submit" class="yes" disabled={words.trim() === ''}>
          Answer
        </button>
      </div>
    </form>
  )
}
