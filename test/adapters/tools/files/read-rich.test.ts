import { expect, test } from 'vitest'
import { imageSize } from '../../../../src/adapters/fs/image-size.ts'
import { read } from '../../../../src/adapters/tools/files/read.ts'
import { runCall } from '../../../../src/adapters/tools/define/run-call.ts'
import { write } from '../../../../src/adapters/tools/files/write.ts'
import { paintedPng } from '../../../support/painted-png.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const show = (file_path: string, more = {}) => shop.call(read, { file_path, ...more })

/** A PDF of one page that says a word, with the table that its readers look for. */
function pdf(word: string): string {
  const stream = `BT /F1 24 Tf 72 700 Td (${word}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`
}

test('an image is shown as an image, whatever its name says', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
  shop.write('picture.txt', png)
  const output = await runCall(read, { file_path: 'picture.txt' }, shop.context())
  expect(output.content[1]).toEqual({ type: 'image', media_type: 'image/png', data: png.toString('base64') })
})

test('an image that is too large is shown smaller', async () => {
  shop.write('screen.png', paintedPng(2_400, 600, 'dense'))
  const output = await runCall(read, { file_path: 'screen.png' }, shop.context())
  const [told, image] = output.content
  expect(told?.type === 'text' && told.text).toContain('bytes, shown smaller: ')
  expect(image?.type === 'image' && imageSize(Buffer.from(image.data, 'base64'))).toEqual({ width: 2_000, height: 500 })
})

test('an image that is too large and broken is named', async () => {
  shop.write('big.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4_000_000)]))
  expect((await show('big.png')).text).toContain('too large to be shown')
})

test('a PDF is shown as the text of its pages', async () => {
  shop.write('paper.pdf', pdf('Troupe'))
  expect((await show('paper.pdf')).text).toBe('     1\t── page 1 of 1 ──\n     2\tTroupe')
})

test('a notebook is shown cell by cell, with what it printed', async () => {
  const cells = [
    { cell_type: 'markdown', source: ['# Title\n', 'words'] },
    {
      cell_type: 'code',
      source: '1 + 1',
      outputs: [
        { output_type: 'execute_result', data: { 'text/plain': ['2'], 'image/png': 'AAAA' } },
        { output_type: 'error', ename: 'ValueError', evalue: 'no' },
      ],
    },
  ]
  shop.write('work.ipynb', JSON.stringify({ cells }))
  const lines = (await show('work.ipynb')).text.split('\n').map((line) => line.split('\t')[1])
  expect(lines).toEqual([
    '── cell 1, markdown ──',
    '# Title',
    'words',
    '── cell 2, code ──',
    '1 + 1',
    '── output of cell 2 ──',
    '2',
    '[image/png]',
    'ValueError: no',
  ])
  expect((await show('work.ipynb', { offset: 4, limit: 1 })).text).toContain('[lines 4-4 of 9; go on with offset=5]')
})

test('what was only looked at as an image or a PDF may be replaced', async () => {
  for (const [name, content] of [
    ['a.png', '\x89PNG\r\n\x1a\n'],
    ['b.pdf', pdf('x')],
  ] as const) {
    await shop.known(name, Buffer.from(content, 'latin1'))
    expect((await shop.call(write, { file_path: name, content: 'new' })).text).toMatch(/^Updated/)
  }
})
