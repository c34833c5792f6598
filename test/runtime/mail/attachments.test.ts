import { deflateSync } from 'node:zlib'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { imageSize } from '../../../src/adapters/fs/image-size.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { attachmentsNamedIn, readAttachments } from '../../../src/runtime/mail/attachments.ts'
import { continueTeam } from '../../../src/runtime/run/continue-team.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { paintedPng } from '../../support/painted-png.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { apis, environmentFor, faultyServer, providerOf, type Fault } from '../../support/faulty-server.ts'
import type { Api } from '../../support/vendors/speech.ts'
import { tempDir } from '../support/stage.ts'

/** The head of a PNG of this size; nobody here looks at more. */
function png(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000080200000000000000', 'hex')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}

/** A PDF of one page with this text. */
function pdf(text: string): Buffer {
  const page = deflateSync(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /MediaBox [0 0 600 800] >>',
    `<< /Length ${page.length} /Filter /FlateDecode >>\nstream\n${page.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 6 >>\n%%EOF`, 'latin1')
}

function files(dir: string): readonly string[] {
  const [image, document] = [join(dir, 'screen.png'), join(dir, 'plan.pdf')]
  writeFileSync(image, png(40, 30))
  writeFileSync(document, pdf('Plan of the house'))
  return [image, document]
}

async function vendor(api: Api, fault: () => Fault | null = () => null) {
  const server = await faultyServer({ api, speak: () => ({ text: 'Seen.' }), fault })
  onTestFinished(server.close)
  return server
}

/** How each API is shown an image and a PDF. */
const shown: Readonly<Record<Api, readonly string[]>> = {
  anthropic: [
    '{"type":"image","source":{"type":"base64","media_type":"image/png"',
    '{"type":"document","title":"plan.pdf","source":{"type":"base64","media_type":"application/pdf"',
  ],
  chat: ['"image_url":{"url":"data:image/png;base64,', 'Plan of the house'],
  responses: ['"image_url":"data:image/png;base64,', '{"type":"input_file","filename":"plan.pdf","file_data":"data:'],
}

test.for(apis)('%s: an image and a PDF go with a prompt, as this vendor reads them', async (api) => {
  const dir = tempDir()
  const server = await vendor(api)
  const agent = createAgent({ model: providerOf[api], env: environmentFor(server.root), home: dir, cwd: dir })
  const attachments = await readAttachments(files(dir))
  expect((await agent.run('What is this?', { attachments }).result).text).toBe('Seen.')
  for (const piece of shown[api]) expect(server.asked[0]?.text).toContain(piece)
  expect(server.complaints).toEqual([])
})

test.for(['anthropic', 'responses'] as const)('%s: a server that reads no PDF is sent its text', async (api) => {
  const dir = tempDir()
  let count = 0
  const body = JSON.stringify({ error: { message: "Input tag 'document' is unknown (input_file)" } })
  const server = await vendor(api, () => ((count += 1) === 1 ? { kind: 'answer', status: 400, body } : null))
  const agent = createAgent({ model: providerOf[api], env: environmentFor(server.root), home: dir, cwd: dir })
  const attachments = await readAttachments(files(dir))
  expect((await agent.run('What is this?', { attachments }).result).text).toBe('Seen.')
  expect(server.asked[1]?.text).toContain('[plan.pdf, a PDF as text]')
  expect(server.asked[1]?.text).not.toContain('application/pdf')
})

test('what comes with a task, and with later words, reaches the lead once each', async () => {
  const cwd = tempDir()
  const server = await vendor('anthropic')
  const team = { name: 'solo', model: 'anthropic/m', coordinator: { prompt: 'You look.' }, workers: {} }
  writeFileSync(
    join(cwd, 'solo.json'),
    JSON.stringify({
      ...team,
      workers: { hand: { description: 'Works.', prompt: 'You work.', tools: ['Read'] } },
    }),
  )
  const env = { ...bareEnv, ...environmentFor(server.root) }
  const [image = '', document = ''] = files(cwd)
  const home = join(cwd, 'home')
  const loaded = await loadTeam(join(cwd, 'solo.json'), { env })
  const run = runTeam(loaded, { task: 'Look.', attachments: await readAttachments([image]), cwd, home, env })
  expect(await run.result).toMatchObject({ status: 'completed', result: 'Seen.' })
  const further = { text: 'And this?', attachments: await readAttachments([document]), home, env }
  expect(await (await continueTeam(run.dir, further)).result).toMatchObject({ status: 'completed' })
  const last = server.asked.at(-1)?.text ?? ''
  expect(server.asked[0]?.text).toContain('"media_type":"image/png"')
  for (const type of ['image/png', 'application/pdf']) expect(last.split(type)).toHaveLength(2)
  expect(server.complaints).toEqual([])
})

test('files that a terminal pastes into a text come along', async () => {
  const dir = tempDir()
  const [image = '', document = ''] = files(dir)
  writeFileSync(join(dir, 'a screen.png'), png(5, 5))
  const text = `Compare ${image} with '${document}' and ${join(dir, 'a\\ screen.png')} not screen.png or ${dir}/none.png`
  expect((await attachmentsNamedIn(text)).map(({ type }) => type)).toEqual(['image', 'document', 'image'])
  expect(await attachmentsNamedIn('Only words, and /etc/hosts.')).toEqual([])
})

test('an image that no vendor takes as it is becomes smaller', async () => {
  const file = join(tempDir(), 'wide.png')
  writeFileSync(file, paintedPng(8_200, 41))
  const [image] = await readAttachments([file])
  expect(imageSize(Buffer.from(image?.data ?? '', 'base64'))).toEqual({ width: 2_000, height: 10 })
})

test('a file that no model can be shown is refused with its name and a remedy', async () => {
  const dir = tempDir()
  const put = (name: string, bytes: Buffer | string): readonly string[] => {
    writeFileSync(join(dir, name), bytes)
    return [join(dir, name)]
  }
  await expect(readAttachments([join(dir, 'none.png')])).rejects.toThrow(
    'none.png cannot be attached: there is no such',
  )
  await expect(readAttachments(put('wide.png', png(9_000, 10)))).rejects.toThrow('9000 × 10 pixels, more than 8000')
  const large = Buffer.concat([png(10, 10), Buffer.alloc(4_000_000)])
  await expect(readAttachments(put('large.png', large))).rejects.toThrow('more than 3750000: make it smaller')
  await expect(readAttachments(put('notes.txt', 'words'))).rejects.toThrow(
    'neither an image (PNG, JPEG, GIF, WebP) nor',
  )
  await expect(readAttachments(put('broken.pdf', '%PDF-1.4 nothing'))).rejects.toThrow('broken.pdf')
  const many = Array.from({ length: 21 }, () => join(dir, 'wide.png'))
  await expect(readAttachments(many)).rejects.toThrow('at most 20 can be')
})
