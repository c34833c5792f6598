import { DayTime } from '../parts/times.tsx'
import { allRuns, hashOf } from '../state/place.ts'
import { useAnswer } from '../wire/use-answer.ts'

/** A run as the server lists it. */
interface ListedRun {
  readonly id: string
  readonly team: string
  readonly state: string
  readonly task: string | null
  readonly created: number | null
  readonly members: readonly { readonly waits_for_you: number }[]
}

const listMs = 4_000

/** The runs of the directory, the newest first. */
export function RunList() {
  const { answer, trouble } = useAnswer<{ readonly runs: readonly ListedRun[] }>('/api/runs', { everyMs: listMs })
  if (answer === null) return <p class="empty">{trouble ?? 'Looking for runs …'}</p>
  const { runs } = answer
  return (
    <main class="run-list" id="main">
      <h1>Runs</h1>
      {trouble === null ? null : <p class="trouble">{trouble}</p>}
      {runs.length > 0 ? null : (
        <p class="empty">
          There is no run here yet: <code>troupe run TEAM "task"</code> starts one.
        </p>
      )}
      <ul class="plain">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
    </main>
  )
}

function RunRow({ run: { id, team, state, task, created, members } }: { readonly run: ListedRun }) {
  const waiting = members.reduce((sum, { waits_for_you }) => sum + waits_for_you, 0)
  return (
    <li>
      <a class="run" href={hashOf({ ...allRuns, run: id })}>
        <span class={`chip is-${state}`}>{state}</span>
        <b>{team}</b>
        <span class="task">{task ?? ''}</span>
        {waiting === 0 ? null : <span class="chip is-asks">◆ {waiting} for you</span>}
        <span class="figure">{created === null ? '' : <DayTime at={created} />}</span>
      </a>
    </li>
  )
}
