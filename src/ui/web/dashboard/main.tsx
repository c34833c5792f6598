import { render } from 'preact'
import { config } from 'zod'
import { chooseTheme, chosenTheme } from './state/theme.ts'
import { App } from './views/app.tsx'
import { openSession } from './wire/server.ts'

// The policy of this page forbids code that is made of text.
config({ jitless: true })
chooseTheme(chosenTheme())

const page = document.getElementById('page')
if (page) {
  const isOpen = await openSession()
  render(isOpen ? <App /> : <NoSession />, page)
}

function NoSession() {
  return (
    <main class="no-session">
      <h1>No session</h1>
      <p>
        Run <code>troupe dashboard</code> and open the address that it prints: the address counts once.
      </p>
    </main>
  )
}
