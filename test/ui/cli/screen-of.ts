/**
 * The rows a terminal shows after it was sent this text: a terminal that knows what the progress display uses
 * (line ends, cursor up and down, erasing) and ignores modes and colours. It does not wrap.
 */
export function screenOf(text: string): readonly string[] {
  const rows: string[] = ['']
  let row = 0
  let column = 0
  const put = (character: string): void => {
    const line = rows[row] ?? ''
    rows[row] = line.slice(0, column).padEnd(column) + character + line.slice(column + 1)
    column += 1
  }
  for (const [token] of text.matchAll(/\u001b\[[?0-9;]*[A-Za-z]|[\s\S]/gu)) {
    const [, digits = '', command = ''] = /^\u001b\[(\??[0-9;]*)([A-Za-z])$/u.exec(token) ?? []
    if (token === '\n') {
      row += 1
      column = 0
      rows[row] ??= ''
    } else if (token === '\r') column = 0
    else if (command === 'A') row = Math.max(0, row - Number(digits || 1))
    else if (command === 'B') row = Math.min(rows.length - 1, row + Number(digits || 1))
    else if (command === 'K') rows[row] = ''
    else if (command === 'J') rows.splice(row, rows.length, (rows[row] ?? '').slice(0, column))
    else if (command === '') put(token)
  }
  return rows
}
