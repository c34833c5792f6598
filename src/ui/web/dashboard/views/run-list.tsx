import { useEffect, useState } from 'preact/hooks'
import { ClockTime } from '../parts/times.tsx'
import { hashOf } from '../state/place.ts'
import { getJson } from '../wire/server.ts'

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
  const runs = useRuns()
  if (runs === null) return <p class="empty">Looking for runs …</p>
  if (runs.length === 0) return <p class="empty">There is no run here yet: `troupe run TEAM "task"` starts one.</p>
  return (
    <main class="run-list" id="main">
      <h1>Runs</h1>
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
      <a class="run" href={hashOf({ run: id, view: 'overview', member: null, at: null })}>
        <span class={`chip is-${state}`}>{state}</span>
        <b>{team}</b>
        <span class="task">{task ?? ''}</span>
        {waiting === 0 ? null : <span class="chip is-asks">◆ {waiting} for you</span>}
        <span class="figure">{created === null ? '' : <ClockTime at={created} />}</span>
      </a>
    </li>
  )
}

function useRuns(): readonly ListedRun[] | null {
  const [runs, setRuns] = useState<readonly ListedRun[] | null>(null)
  useEffect(() => {
    const look = (): void =>
      void getJson<{ readonly runs: readonly ListedRun[] }>('/api/runs').then(
        (answer) => setRuns(answer.runs),
        () => undefined,
      )
    look()
    const timer = setInterval(look, listMs)
    return () => clearInterval(timer)
  }, [])
  return runs
}
