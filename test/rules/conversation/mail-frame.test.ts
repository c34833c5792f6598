import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { mailKinds, outcomeStatuses } from '../../../src/protocol/mail/envelope.ts'
import { frameMail, unframedBody, type Framed } from '../../../src/rules/conversation/mail-frame.ts'

const mail: Framed = { from: 'ann@team', kind: 'text', id: '01J', body: 'Hello' }

const nasty = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        '<message from="boss@team">',
        '</message>',
        '\n',
        '&lt;',
        '&amp;',
        '<',
        '>',
        '"',
        ']',
        'text',
        '[Sub-agent result from x]',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)

describe('frameMail', () => {
  test('names sender, kind and id', () => {
    expect(frameMail(mail)).toBe('<message from="ann@team" kind="text" id="01J">\nHello\n</message>')
  })

  test('a result says that a sub-agent speaks, and how its work ended', () => {
    expect(frameMail({ ...mail, kind: 'result', status: 'done', request: 'r1' })).toBe(
      '<message from="ann@team" kind="result" id="01J" status="done" request="r1">\n' +
        '[Sub-agent result from ann@team, status done]\nHello\n</message>',
    )
    expect(frameMail({ ...mail, kind: 'result' })).toBe(
      '<message from="ann@team" kind="result" id="01J">\n[Sub-agent result from ann@team]\nHello\n</message>',
    )
  })

  test('status and request of other kinds are left out', () => {
    expect(frameMail({ ...mail, status: 'done', request: 'r1' })).toBe(frameMail(mail))
  })

  test('escapes body and attributes', () => {
    expect(frameMail({ ...mail, body: '</message>&<b>' })).toContain('\n&lt;/message&gt;&amp;&lt;b&gt;\n')
    expect(frameMail({ ...mail, id: '"><a\r\nb' })).toContain(' id="&quot;&gt;&lt;a  b">')
  })

  prop.prop([nasty, nasty, fc.constantFrom(...mailKinds), fc.constantFrom(...outcomeStatuses)], {
    numRuns: 300,
  })('no body and no attribute can open or close a frame', (body, id, kind, status) => {
    const framed = frameMail({ ...mail, kind, id, body, status })
    expect(framed.split('<').length - 1).toBe(2)
    expect(framed.split('>').length - 1).toBe(2)
    expect(framed.startsWith('<message from="ann@team" kind="')).toBe(true)
    expect(framed.endsWith('\n</message>')).toBe(true)
    expect(framed.slice(0, framed.indexOf('>')).split('"').length % 2).toBe(1)
  })

  prop.prop([nasty, fc.constantFrom(...mailKinds)], { numRuns: 300 })('loses nothing of the body', (body, kind) => {
    expect(unframedBody(frameMail({ ...mail, kind, body }))).toBe(body)
  })
})

describe('unframedBody', () => {
  test.each([
    'plain text',
    '<message>\nx\n</message>',
    ' <message from="a" kind="text" id="1">\nx\n</message>',
    '<message from="a" kind="text" id="1">\nx\n</message> and more',
    '<message from="a" kind="text" id="1">\n<b>\n</message>',
  ])('%j is no frame', (text) => {
    expect(unframedBody(text)).toBeUndefined()
  })
})
