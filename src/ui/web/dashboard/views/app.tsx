import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { allRuns, hashOf, placeOfHash, type Place } from '../state/place.ts'
import { chooseTheme, chosenTheme, nextTheme } from '../state/theme.ts'
import { RunList } from './run-list.tsx'
import { RunPage } from './run-page.tsx'

/** The whole page for those who have a session. */
export function App() {
  const [place, go] = usePlace()
  return (
    <div class="app">
      <a class="skip" href="#main" onClick={focusMain}>
        To the view
      </a>
      <header>
        <a class="brand" href={hashOf(allRuns)}>
          Troupe
        </a>
        {place.run === null ? null : <h1 class="run-name">{place.run}</h1>}
        <ThemeButton />
      </header>
      {place.run === null ? <RunList /> : <RunPage place={place} go={go} />}
    </div>
  )
}

function focusMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main')?.focus()
}

const themeWords = { auto: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' } as const
const themeSigns = { auto: '◐', light: '○', dark: '●' } as const

function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme)
  const change = (): void => {
    chooseTheme(nextTheme(theme))
    setTheme(nextTheme(theme))
  }
  return (
    <button type="button" class="quiet" onClick={change} aria-label={`${themeWords[theme]}; change it`}>
      <span aria-hidden="true">{themeSigns[theme]}</span>
    </button>
  )
}

/**
 * The place in the address, and the way to another one.
 * Another view, member or run is a step that the browser's Back takes back. Another moment is none: a slider that is drawn names hundreds of
 * moments, and the address gets the one at which it rests.
 */
function usePlace(): readonly [Place, (place: Place) => void] {
  const [place, setPlace] = useState(() => placeOfHash(location.hash))
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const look = (): void => {
      clearTimeout(rest.current)
      setPlace(placeOfHash(location.hash))
    }
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  const go = useCallback((next: Place): void => {
    clearTimeout(rest.current)
    setPlace(next)
    const from = location.hash
    if (isStep(placeOfHash(from), next)) {
      history.pushState(null, '', hashOf(next))
      return
    }
    rest.current = setTimeout(() => {
      // A link that was followed meanwhile goes before.
      if (location.hash === from) history.replaceState(null, '', hashOf(next))
    }, restMs)
  }, [])
  return [place, go]
}

function isStep(from: Place, to: Place): boolean {
  return from.run !== to.run || from.view !== to.view || from.member !== to.member || from.other !== to.other
}

const restMs = 250
