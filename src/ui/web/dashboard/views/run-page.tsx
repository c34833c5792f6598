import { useEffect, useRef, useState } from 'preact/hooks'
import { unanswered } from '../../../../projections/moment/asked-calls.ts'
import { byNeed } from '../../../../projections/screen/condition.ts'
import { hashOf, views, type PageView, type Place } from '../state/place.ts'
import { openRunStore, type RunStore } from '../state/run-store.ts'
import { usePlay } from '../state/use-play.ts'
import { TimeBar } from './time-bar.tsx'
import { Overview } from './overview.tsx'
import { BoardView } from './board.tsx'
import { ChartView } from './chart.tsx'
import { CostView } from './cost.tsx'
import { DiffView } from './diff.tsx'
import { KeyHelp, useKeys } from './keys.tsx'
import { Logs } from './logs.tsx'
import { Messages } from './messages.tsx'
import { Timeline } from './timeline.tsx'
import { Questions } from './questions.tsx'
import { aboutMembers, Rail } from './rail.tsx'
import { TranscriptView } from './transcript.tsx'
import type { RunLook } from './page-props.ts'

interface PageProps {
  readonly place: Place
  readonly go: (place: Place) => void
}

/** One run: its members, one view of it, and its time. */
export function RunPage({ place, go }: PageProps) {
  const { store, trouble } = useStore(place.run ?? '')
  const help = useKeys(store, place, go)
  usePlay(store, place, go)
  useTitle(place.run, store)
  if (trouble !== null) return <p class="empty">{trouble}</p>
  if (store === null) return <p class="empty">Opening the run …</p>
  const look = lookOf(store, place, go)
  const Shown = shown[place.view]
  return (
    <>
      <Tabs look={look} />
      <div class="columns">
        <Rail look={look} />
        <main id="main" tabIndex={0}>
          {aboutMembers.has(place.view) ? <MemberChoice look={look} /> : null}
          <Shown look={look} />
        </main>
      </div>
      {help === null ? null : <KeyHelp close={help} />}
      <TimeBar store={store} place={place} go={go} />
    </>
  )
}

const shown: Readonly<Record<PageView, (props: { readonly look: RunLook }) => preact.ComponentChildren>> = {
  overview: Overview,
  transcript: TranscriptView,
  questions: Questions,
  chart: ChartView,
  messages: Messages,
  timeline: Timeline,
  cost: CostView,
  board: BoardView,
  logs: Logs,
  diff: DiffView,
}

const titles: Readonly<Record<PageView, string>> = {
  overview: 'Overview',
  transcript: 'Transcript',
  questions: 'Questions',
  chart: 'Statechart',
  messages: 'Messages',
  timeline: 'Timeline',
  cost: 'Cost',
  board: 'Board',
  logs: 'Logs',
  diff: 'Diff',
}

function lookOf(store: RunStore, place: Place, go: RunLook['go']): RunLook {
  const moment = store.moment(place.at)
  const [first] = byNeed([...moment.panes.roster.values()])
  const isLive = place.at === null && store.link() === 'live' && moment.panes.ended === null
  return {
    store,
    moment,
    place,
    member: place.member ?? first?.name ?? store.cast.lead,
    now: isLive ? Date.now() : (moment.time?.to ?? 0),
    go,
  }
}

/** The title of the browser's tab: questions that wait are seen from another one, too. */
function useTitle(run: string | null, store: RunStore | null): void {
  const waiting = store === null ? 0 : unanswered(store.moment(null).asked).length
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${run ?? ''} · Troupe`
    return () => void (document.title = 'Troupe')
  }, [run, waiting])
}

function Tabs({ look: { place, moment } }: { readonly look: RunLook }) {
  const waiting = unanswered(moment.asked).length
  const nav = useRef<HTMLElement>(null)
  // A narrow window has no room for all tabs: the shown one is scrolled to.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [place.view])
  return (
    <nav class="tabs" aria-label="Views" ref={nav}>
      {views.map((view) => (
        <a key={view} href={hashOf({ ...place, view })} aria-current={view === place.view ? 'page' : undefined}>
          {titles[view]}
          {view === 'questions' && waiting > 0 ? <span class="count">{waiting}</span> : null}
        </a>
      ))}
    </nav>
  )
}

/** The choice of the member where the window is too narrow for the list of all. */
function MemberChoice({ look: { moment, member, place, go } }: { readonly look: RunLook }) {
  return (
    <label class="member-choice">
      <span>Member</span>
      <select value={member} onChange={({ currentTarget }) => go({ ...place, member: currentTarget.value })}>
        {[...moment.panes.roster.keys()].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The store of a run, and drawings of what is new in it. */
function useStore(run: string): { readonly store: RunStore | null; readonly trouble: string | null } {
  const [state, setState] = useState<{ store: RunStore | null; trouble: string | null }>({ store: null, trouble: null })
  const [, draw] = useState(0)
  useEffect(() => {
    let opened: RunStore | null = null
    let isGone = false
    setState({ store: null, trouble: null })
    const begin = (store: RunStore): void => {
      if (isGone) {
        store.close()
        return
      }
      opened = store
      store.subscribe(() => draw((count) => count + 1))
      setState({ store, trouble: null })
    }
    const fail = ({ message: trouble }: Error): void => {
      if (!isGone) setState({ store: null, trouble })
    }
    openRunStore(run).then(begin, fail)
    return () => {
      isGone = true
      opened?.close()
    }
  }, [run])
  return state
}
