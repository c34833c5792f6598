import { detachedPlace } from './detached.ts'
import type { Launched, WorkerPlace } from './place.ts'
import { closeServer } from './tmux-server.ts'
import { tmuxViews, type TmuxViewsOptions } from './tmux-views.ts'

/**
 * Workers that are shown in panes of the person's own tmux, or of a server of their own: each pane shows one live, and the
 * worker itself is a detached process.
 * 1. A pane is a view: closing it ends nothing, and what is typed in it is sent by the view as the person.
 * 2. A worker that could not be shown works all the same.
 * 3. At the end the panes close; in the person's tmux the pane of a worker that failed stays, with its last words. A server of
 *    their own ends.
 */
export function tmuxPanes(options: TmuxViewsOptions): WorkerPlace {
  const workers = detachedPlace()
  const views = tmuxViews(options)
  const failed = new Set<string>()
  let before: Promise<unknown> = Promise.resolve()
  return {
    async launch(command): Promise<Launched> {
      const launched = await workers.launch(command)
      failed.delete(command.member)
      void noteEnd(launched, () => failed.add(command.member))
      before = before.then(() => views.show(command)).catch(() => undefined)
      return launched
    },
    async close() {
      await before
      // Also that of an earlier leader, whose panes are taken over here.
      await (options.server === undefined ? views.close(failed) : closeServer(options.server, options.env))
    },
  }
}

async function noteEnd({ exited }: Launched, fails: () => void): Promise<void> {
  const end = await exited
  if (end && end.code !== 0) fails()
}
