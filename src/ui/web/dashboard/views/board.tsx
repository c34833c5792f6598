import { evidenceText } from '../../../../projections/team/task-board.ts'
import type { BoardTask } from '../../../../protocol/work/task.ts'
import type { RunLook } from './page-props.ts'

const columns = [
  ['Open', ['open', 'blocked']],
  ['At work', ['claimed', 'verifying', 'review']],
  ['Ended', ['done', 'failed', 'cancelled']],
] as const satisfies readonly (readonly [string, readonly BoardTask['state'][]])[]

/** The task board, and the todo lists of the members. */
export function BoardView({ look: { moment } }: { readonly look: RunLook }) {
  const { board, roster } = moment.panes
  const tasks = [...board.tasks.values()]
  const lists = [...roster.values()].filter(({ todos }) => todos.length > 0)
  if (tasks.length + lists.length === 0) return <p class="empty">No tasks were put up, and nobody wrote a todo list.</p>
  return (
    <>
      {tasks.length === 0 ? null : (
        <div class="board">
          {columns.map(([title, states]) => (
            <Column
              key={title}
              title={title}
              tasks={tasks.filter(({ state }) => states.some((each) => each === state))}
            />
          ))}
        </div>
      )}
      {lists.map(({ name, todos }) => (
        <section key={name} class="todo-list">
          <h2>Todo list of {name}</h2>
          <ul class="plain todos">
            {todos.map(({ content, status }, index) => (
              <li key={index} class={`is-${status}`}>
                {todoSigns[status]} {content}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Column({ title, tasks }: { readonly title: string; readonly tasks: readonly BoardTask[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {tasks.length === 0 ? <p class="note">No task.</p> : null}
      {tasks.map((task) => (
        <TaskCard key={task.task} task={task} />
      ))}
    </section>
  )
}

const todoSigns = { pending: '○', in_progress: '▶', completed: '✓' } as const
const taskSigns: Readonly<Record<BoardTask['state'], string>> = {
  open: '○',
  blocked: '‖',
  claimed: '▶',
  verifying: '▶',
  review: '◆',
  done: '✓',
  failed: '✕',
  cancelled: '–',
}

function TaskCard({
  task: { task, subject, description, state, by, blocked_by, evidence, reason },
}: {
  readonly task: BoardTask
}) {
  const notes = [
    state === 'blocked' ? `waits for ${blocked_by.map((id) => `#${id}`).join(', ')}` : '',
    by === null ? '' : `by ${by}`,
    reason ?? '',
    ...evidence.map(evidenceText),
  ].filter((note) => note !== '')
  return (
    <article class={`task is-${state}`}>
      <p>
        <span class="sign">{taskSigns[state]}</span> <b>#{task}</b> {subject}
      </p>
      {description === undefined ? null : <p class="note">{description.slice(0, 400)}</p>}
      <p class="note">{[state, ...notes].join(' · ')}</p>
    </article>
  )
}
