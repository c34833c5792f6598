/** Texts that a terminal would obey, or that make it show something else than what is written. */
export const terminalOrders: Readonly<Record<string, string>> = {
  clipboard: '\u001b]52;c;ZXZpbA==\u0007',
  'clipboard query': '\u001b]52;c;?\u001b\\',
  title: '\u001b]0;pwned\u0007',
  'title push and pop': '\u001b[22;0t\u001b[23;0t',
  'report of the title': '\u001b[21t',
  hyperlink: '\u001b]8;;https://evil.example/\u001b\\click\u001b]8;;\u001b\\',
  'device attributes': '\u001b[c\u001b[>c\u001b[=c\u001bZ',
  'status and cursor report': '\u001b[5n\u001b[6n\u001b[?6n',
  'mode report': '\u001b[?2026$p',
  'cursor moves': '\u001b[H\u001b[10;10f\u001b[3A\u001b[2D\u001b[99G\u001bM\u001bD\u001bE\u001b7\u001b8',
  erasing: '\u001b[2J\u001b[3J\u001b[K\u001b[1M\u001b[5X',
  reset: '\u001bc\u001b[!p',
  screens: '\u001b[?1049h\u001b[?47l',
  mouse: '\u001b[?1000h\u001b[?1003h\u001b[?2004h',
  'scroll region': '\u001b[3;5r\u001b[5S',
  'character sets': '\u001b(0\u001b)0\u000e\u000f\u001b#8',
  colours: '\u001b[8m\u001b[38;5;213m\u001b[7m',
  DCS: '\u001bP+q544e\u001b\\\u001bP$qm\u001b\\',
  sixel: '\u001bPq#0;2;0;0;0#0~~@@vv@@~~@@~~$-\u001b\\',
  'APC and PM': '\u001b_Gf=24,s=1,v=1;AAAA\u001b\\\u001b^private\u001b\\\u001bXstring\u001b\\',
  'iTerm2 file': '\u001b]1337;File=inline=1:AAAA\u0007',
  notification: '\u001b]9;evil\u0007\u001b]777;notify;a;b\u001b\\\u001b]99;i=1;x\u001b\\',
  palette: '\u001b]4;1;#000000\u0007\u001b]10;?\u0007\u001b]11;?\u0007\u001b]104\u0007',
  'shell marks': '\u001b]133;A\u0007\u001b]633;E;rm\u0007\u001b]7;file:///\u0007',
  'eight bit': '\u009b2J\u009d0;pwned\u009c\u0090q\u009c\u009e\u009f\u0085\u0084\u008d',
  'unfinished CSI': '\u001b[',
  'unfinished OSC': '\u001b]52;c;ZXZpbA',
  nested: '\u001b\u001b[2J\u001b[\u001b[2J2J\u001b]\u001b]0;x\u0007\u0007',
  'return and backspace': 'shown\rhidden\b\b\b\b\b\bsafe',
  'bell, enquiry, tabs': '\u0007\u0005\u000b\u000c\u001a\u007f\u0000',
  bidi: '\u202egnorw\u202c\u2066\u2067\u2068\u2069\u061c\u200e\u200f',
  invisible: 'a\u200bb\u2060c\ufeffd\u{e0041}\u{e0042}',
  'line separators': 'one\u2028two\u2029three',
  'lone surrogates': '\ud800 \udc00',
  keyboard: '\u001b[>1u\u001b[=5u\u001b[?u\u001b[>4;2m',
}

/** All of them in one text, with words that can be found again. */
export const everyOrder = `begin ${Object.values(terminalOrders).join(' ')} end`

/** The same on one line, for a name or a title. */
export const orderLine = everyOrder.replaceAll(/[\n\u2028\u2029\u0085]/g, '')

/** What colours of ours may look like; nothing that others wrote is allowed to look so. */
const ownColours = /\u001b\[(?:[0-9]|[1-4][0-9]|9[0-7]|38;5;(?:243|160|28|130|25|30|90))m/g

/** Signs that a terminal obeys, or that turn a line around. Joiners of emoji and scripts (U+200C, U+200D) are none. */
const obeyed =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u

/**
 * The places where something in a text would be obeyed by a terminal, with what stands around them.
 * @param own sequences that the writer itself may use, beside colours
 */
export function leaksIn(text: string, own?: RegExp): readonly string[] {
  const rest = (own === undefined ? text : text.replaceAll(own, ''))
    .replaceAll(ownColours, '')
    .replaceAll(/\r\n/g, '\n')
  const leaks: string[] = []
  for (let from = 0; leaks.length < 5;) {
    const at = rest.slice(from).search(obeyed)
    if (at < 0) break
    leaks.push(JSON.stringify(rest.slice(Math.max(0, from + at - 40), from + at + 20)))
    from += at + 1
  }
  if (text.includes('\u001b[8m') || text.includes('\u001b[38;5;213m')) leaks.push('colours of others')
  return leaks
}
