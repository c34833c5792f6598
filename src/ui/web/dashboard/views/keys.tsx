import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nextSpeed } from '../../../../projections/moment/play-head.ts'
import { byNeed } from '../../../../projections/screen/condition.ts'
import { allRuns, played, views, type Place } from '../state/place.ts'
import type { RunStore } from '../state/run-store.ts'

type Go = (place: Place) => void

/** A key, what it does in words, and the place to which it leads. */
interface KeyAct {
  readonly keys: readonly string[]
  readonly does: string
  readonly lead: (store: RunStore, place: Place, key: string) => Place
}

const acts: readonly KeyAct[] = [
  {
    keys: views.map((_, index) => String((index + 1) % 10)),
    does: 'the views, in their order',
    lead: (_, place, key) => ({ ...place, view: views[(Number(key) + 9) % 10] ?? place.view }),
  },
  { keys: ['j'], does: 'the next member', lead: (store, place) => neighbour(store, place, 1) },
  { keys: ['k'], does: 'the member before', lead: (store, place) => neighbour(store, place, -1) },
  { keys: [','], does: 'one fact back', lead: (store, place) => stepped(store, place, -1) },
  { keys: ['.'], does: 'one fact on', lead: (store, place) => stepped(store, place, 1) },
  { keys: ['['], does: 'a tenth of the run back', lead: (store, place) => stepped(store, place, -tenth(store)) },
  { keys: [']'], does: 'a tenth of the run on', lead: (store, place) => stepped(store, place, tenth(store)) },
  { keys: ['p'], does: 'play the run from this moment, or pause', lead: (_, place) => played(place) },
  { keys: ['+'], does: 'play faster', lead: (_, place) => ({ ...place, speed: nextSpeed(place.speed, 1) }) },
  { keys: ['-'], does: 'play slower', lead: (_, place) => ({ ...place, speed: nextSpeed(place.speed, -1) }) },
  { keys: ['l'], does: 'the present', lead: (_, place) => ({ ...place, at: null, plays: false }) },
  { keys: ['/'], does: 'search the logs', lead: (_, place) => ({ ...place, view: 'logs' }) },
  { keys: ['g'], does: 'all runs', lead: (_, place) => ({ ...allRuns, view: place.view }) },
]

/** Listens to keys while a run is shown. @returns closes the help where it is open, else null */
export function useKeys(store: RunStore | null, place: Place, go: Go): (() => void) | null {
  const [isHelp, setHelp] = useState(false)
  // The next key may come before the page is painted, and begins from the place to which this one led.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur()
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
      if (event.key === '?') setHelp((open) => !open)
      if (event.key === 'Escape') setHelp(false)
      const act = acts.find(({ keys }) => keys.includes(event.key))
      if (act === undefined || store === null) return
      event.preventDefault()
      go(act.lead(store, place, event.key))
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [store, place, go])
  return isHelp ? () => setHelp(false) : null
}

/** All keys; the focus goes there and comes back. */
export function KeyHelp({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={close} aria-label="Keys">
      <h2>Keys</h2>
      <dl class="facts">
        {[...acts, { keys: ['?'], does: 'this list' }].map(({ keys, does }) => (
          <div key={does}>
            <dt>
              <kbd>{keys.length > 1 ? `${keys[0]} – ${keys.at(-1)}` : keys[0]}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input:not([type=range]), textarea, select') !== null
}

function neighbour(store: RunStore, place: Place, by: number): Place {
  const names = byNeed([...store.moment(place.at).panes.roster.values()]).map(({ name }) => name)
  const index = place.member === null ? 0 : names.indexOf(place.member)
  const member = names[(index + by + names.length) % names.length] ?? place.member
  return { ...place, member, view: place.view === 'chart' ? 'chart' : 'transcript' }
}

function stepped(store: RunStore, place: Place, by: number): Place {
  const total = store.count()
  const at = Math.max(0, (place.at ?? total) + by)
  return { ...place, at: at >= total ? null : at }
}

function tenth(store: RunStore): number {
  return Math.max(1, Math.round(store.count() / 10))
}
