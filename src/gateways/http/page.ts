/** The empty page: it holds nothing of any run, and loads its script from this server alone. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Troupe</title>
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main><h1>Troupe</h1><p id="state" role="status">Opening…</p><div id="operations"></div></main>
<script type="module" src="/page.js"></script>
</body>
</html>
`

export const pageCss = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
details { border: 1px solid #8886; border-radius: .4rem; margin: .5rem 0; padding: .5rem .8rem }
summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere }
label { display: block; margin: .4rem 0 }
input, textarea { width: 100%; box-sizing: border-box; font: inherit }
textarea { min-height: 6rem; font-family: monospace }
pre { overflow: auto; max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere }
`

/** Takes the code out of the address, opens a session with it, and lists what the server offers. */
export const pageJs = `const state = document.getElementById('state')
const code = location.hash.slice(1)
if (code) {
  history.replaceState(null, '', location.pathname)
  await fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) })
}
const described = await fetch('/api/openapi.json')
if (described.ok) {
  const { paths, info } = await described.json()
  state.textContent = 'Version ' + info.version + '. Each request below is sent with your rights.'
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) show(path, method, operation)
} else state.textContent = 'No session. Start troupe serve and open the address that it prints; it counts once.'

function element(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

function show(path, method, { summary, parameters, requestBody }) {
  const box = element('details')
  box.append(element('summary', method.toUpperCase() + ' ' + path), element('p', summary))
  const fields = parameters.map((parameter) => {
    const label = element('label', parameter.name)
    const input = element('input')
    label.append(input)
    box.append(label)
    return { ...parameter, input }
  })
  const schema = requestBody && requestBody.content['application/json'].schema
  const body = element('textarea')
  if (schema) {
    body.value = JSON.stringify(Object.fromEntries((schema.required || []).map((name) => [name, ''])), null, 2)
    body.setAttribute('aria-label', 'body')
    box.append(body, element('pre', JSON.stringify(schema.properties, null, 2)))
  }
  const send = element('button', 'Send')
  const answer = element('pre')
  answer.setAttribute('aria-live', 'polite')
  send.addEventListener('click', async () => {
    let address = path
    const query = new URLSearchParams()
    for (const { name, in: place, input } of fields) {
      if (place === 'path') address = address.replace('{' + name + '}', encodeURIComponent(input.value))
      else if (input.value) query.set(name, input.value)
    }
    if (query.size) address += '?' + query
    answer.textContent = '…'
    if (path.endsWith('/events')) return follow(address, answer)
    const sent = schema ? { method, headers: { 'content-type': 'application/json' }, body: body.value } : { method }
    const response = await fetch(address, sent)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text
    answer.textContent = response.status + '\\n' + shown.slice(0, 200000)
  })
  box.append(send, answer)
  document.getElementById('operations').append(box)
}

function follow(address, answer) {
  const source = new EventSource(address)
  source.onmessage = ({ data }) => { answer.textContent = (answer.textContent + '\\n' + data).slice(-200000) }
}
`

/** Only this server's own files, and no frame around it. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
