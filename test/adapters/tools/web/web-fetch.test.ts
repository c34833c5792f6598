import type { RequestListener } from 'node:http'
import { BlockList, type LookupFunction } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { webFetch, webFetchWith } from '../../../../src/adapters/tools/web/web-fetch.ts'
import { blockedAddresses } from '../../../../src/adapters/tools/web/blocked-addresses.ts'
import { homelyFetch, webSites } from '../web-site.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const sites = webSites()

async function web(listener: RequestListener) {
  const { port, url } = await sites.open(listener)
  return { port, url, get: (place: string, more = {}) => shop.call(homelyFetch, { url: place, ...more }) }
}

const html =
  (body: string): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(body)
  }

describe('what a page answers', () => {
  test('HTML comes as Markdown, without scripts and inline pictures', async () => {
    const data = `data:image/png;base64,${'A'.repeat(5_000)}`
    const body = `<h1>Title</h1><script>alert(1)</script><p>Some <b>bold</b> <a href="/x">link</a></p><img src="${data}" alt="pic">`
    const { url, get } = await web(html(body))
    expect(await get(url)).toEqual({
      text: `[200 text/html ${url}/]\n# Title\n\nSome **bold** [link](/x)`,
      isError: false,
    })
  })

  test('JSON and plain text come as they are, in their own character set', async () => {
    const { url, get } = await web((request, response) => {
      response.setHeader(
        'content-type',
        request.url === '/json' ? 'application/json' : 'text/plain; charset=iso-8859-1',
      )
      response.end(request.url === '/json' ? '{"a": 1}' : Buffer.from([0x63, 0x61, 0x66, 0xe9]))
    })
    expect((await get(`${url}/json`)).text).toBe(`[200 application/json ${url}/json]\n{"a": 1}`)
    expect((await get(`${url}/text`)).text).toBe(`[200 text/plain ${url}/text]\ncafé`)
  })

  test('an error page is an error that shows what the server said', async () => {
    const { url, get } = await web((_request, response) => response.writeHead(404).end('not here'))
    expect(await get(url)).toEqual({ text: `[404 text/plain ${url}/]\nnot here`, isError: true })
  })

  test('a long page is paged, a binary one is named, an image is shown', async () => {
    const png = Buffer.from('89504e470d0a1a0a00', 'hex')
    const { url, get } = await web((request, response) => {
      if (request.url === '/long') response.setHeader('content-type', 'text/plain').end('x'.repeat(100_000))
      else response.setHeader('content-type', 'application/octet-stream').end(request.url === '/png' ? png : 'zip')
    })
    expect((await get(`${url}/long`)).text).toMatch(/\[characters 0-60000 of 100000; more with offset=60000\]$/)
    expect((await get(`${url}/long`, { offset: 60_000 })).text.length).toBeLessThan(41_000)
    expect((await get(`${url}/zip`)).text).toContain('[not text, 3 bytes]')
    expect((await get(`${url}/png`)).text).toMatch(/<image\/png>$/)
  })
})

describe('redirects', () => {
  test('are followed within the host, and only shown when they leave it', async () => {
    const { url, port, get } = await web((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `http://other.example:${port}/secret` }).end()
      else if (request.url === '/in') response.writeHead(301, { location: '/end' }).end()
      else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end()
      else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
      else response.end(`at ${request.url}`)
    })
    expect((await get(`${url}/in`)).text).toContain('at /end')
    const away = await get(`${url}/away`)
    expect(away.text).toContain(`redirects to another host: http://other.example:${port}/secret`)
    expect(away.text).not.toContain('at /secret')
    expect(await get(`${url}/loop`)).toMatchObject({
      isError: true,
      text: expect.stringContaining('more than 10') as string,
    })
    expect((await get(`${url}/file`)).text).toContain('no web page')
  })
})

describe('what is refused', () => {
  const closed = [
    'http://127.0.0.1:8080/',
    'http://localhost:8080/',
    'http://[::1]:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://0.0.0.0:8080/',
    'http://2130706433:8080/',
    'http://0x7f.1:8080/',
    'http://0177.0.0.1:8080/',
    'http://127.1:8080/',
    'http://[64:ff9b::7f00:1]:8080/',
    'http://[::]:8080/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]:8080/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.31.255.255/',
    'http://100.64.0.1/',
    'http://[2002:7f00:1::]/',
  ]
  test.for(closed)('%s', async (url) => {
    const output = await shop.call(webFetch, { url })
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('closed to tools') as string })
  })

  test('a name that leads to this machine when it is contacted', async () => {
    const rebound: LookupFunction = (_host, options, give) =>
      options.all ? give(null, [{ address: '10.0.0.1', family: 4 }]) : give(null, '10.0.0.1', 4)
    const tool = webFetchWith({ blocked: blockedAddresses(), lookup: rebound })
    expect((await shop.call(tool, { url: 'http://friendly.example/' })).text).toContain('closed to tools')
  })

  test('everything, when the guard itself does not work', async () => {
    const tool = webFetchWith({ blocked: new BlockList() })
    expect((await shop.call(tool, { url: 'http://127.0.0.1:8080/' })).text).toContain('the guard')
  })

  test('addresses that are none, of other kinds, or with a password', async () => {
    for (const url of ['example.com', 'file:///etc/passwd', 'ftp://example.com/', 'https://ann:pw@example.com/']) {
      expect((await shop.call(webFetch, { url })).isError).toBe(true)
    }
  })
})

test('the public web is open, in both versions', () => {
  const blocked = blockedAddresses()
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '192.169.0.1',
    '100.128.0.1',
    '11.0.0.1',
    '223.255.255.254',
  ])
    expect([address, blocked.check(address)]).toEqual([address, false])
  for (const address of ['2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2003::1', '::ffff:1.1.1.1'])
    expect([address, blocked.check(address, 'ipv6')]).toEqual([address, false])
  for (const address of [
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '64:ff9b::1',
    '100::1',
    '1fff::1',
    '0:0:0:0:ffff:0:7f00:1',
    '0:0:0:0:0:fffe:1:1',
    '4000::',
    'fc00::1',
    'ff02::1',
    'fec0::1',
  ])
    expect([address, blocked.check(address, 'ipv6')]).toEqual([address, true])
})

describe('a server of hostile make', () => {
  test('an answer that never ends, packed small, is taken up to a bound', async () => {
    const bomb = gzipSync(Buffer.alloc(50 << 20, 0x61))
    const { url, get } = await web((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
    )
    expect((await get(url)).text).toContain('only the first 5 MiB were taken')
  })

  test('markup that is nested without end gives its words', async () => {
    const { url, get } = await web(html(`${'<div>'.repeat(50_000)}words`))
    expect((await get(url)).text).toContain('words')
  })

  test('a call that is stopped while the server says nothing ends at once', async () => {
    const control = new AbortController()
    const { url } = await web(() => control.abort())
    const output = await shop.call(homelyFetch, { url }, shop.context({ signal: control.signal }))
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('interrupted') as string })
  })
})
