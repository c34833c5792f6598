import type { Cost, Spending } from '../cost/cost.ts'
import type { Pane, Panes } from '../screen/panes.ts'
import type { Roster } from '../screen/roster.ts'

/**
 * A picture of its own. Blocks, lines and tasks never change, so that both have the same ones; text that is being written stays
 * behind.
 */
export function copyPanes({ panes, roster, cost, board, coordinator, log, lead, ended }: Panes): Panes {
  return {
    panes: changed(panes, copyPane),
    roster: copyRoster(roster),
    cost: copyCost(cost),
    board: {
      tasks: new Map(board.tasks),
      answers: new Map(board.answers),
      heldSince: new Map(board.heldSince),
      lapsed: new Map(board.lapsed),
    },
    coordinator: { ...coordinator, requests: new Map(coordinator.requests) },
    log: { lines: [...log.lines], calls: new Map(log.calls) },
    lead,
    ended,
  }
}

function copyPane(pane: Pane): Pane {
  const quiet = { thinking: { finished: [], open: '' }, saying: { finished: [], open: '' }, gap: false }
  return { ...pane, ...quiet, blocks: [...pane.blocks], calls: new Map(pane.calls) }
}

function copyRoster(roster: Roster): Roster {
  return changed(roster, (view) => ({
    ...view,
    requests: new Map(view.requests),
    tasks: { ...view.tasks, waiting: [...view.tasks.waiting] },
    running: new Map(view.running),
    asked: new Map(view.asked),
    waiting: new Map(view.waiting),
    spending: { ...view.spending },
  }))
}

function copyCost({ total, members, models, purposes }: Cost): Cost {
  const copy = (spending: Spending): Spending => ({ ...spending })
  return {
    total: copy(total),
    members: changed(members, copy),
    models: changed(models, copy),
    purposes: changed(purposes, copy),
  }
}

function changed<Key, Value>(map: ReadonlyMap<Key, Value>, change: (value: Value) => Value): Map<Key, Value> {
  return new Map([...map].map(([key, value]) => [key, change(value)]))
}
