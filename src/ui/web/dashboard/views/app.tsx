import { useEffect, useRef, useState } from 'preact/hooks'
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

/** The place in the address. A slider that is drawn names hundreds of places: the address gets the one at which it rests. */
function usePlace(): readonly [Place, (place: Place) => void] {
  const [place, setPlace] = useState(() => placeOfHash(location.hash))
  const heard = useRef(location.hash)
  useEffect(() => {
    const look = (): void => {
      heard.current = location.hash
      setPlace(placeOfHash(location.hash))
    }
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  useEffect(() => {
    const rest = setTimeout(() => {
      // A link that was followed meanwhile goes before.
      if (location.hash !== heard.current) return
      // An address that is written anew, though the same, ends a way back that has begun.
      if (location.hash === hashOf(place)) return
      history.replaceState(null, '', hashOf(place))
      heard.current = location.hash
    }, restMs)
    return () => clearTimeout(rest)
  }, [place])
  return [place, setPlace]
}

const restMs = 250
