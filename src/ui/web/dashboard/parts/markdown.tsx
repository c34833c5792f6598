import { lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'

/*
 * Draws Markdown as elements, never as HTML: what a text holds of HTML is shown as text.
 * 1. A link leads to http and https only, and opens apart from this page.
 * 2. No image is loaded: its words stand in its place.
 */

/** A text that is Markdown. */
export function Markdown({ text }: { readonly text: string }) {
  return <div class="markdown">{blocks(lexer(text))}</div>
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token) => block(token as Tokens.Generic))
}

const drawnBlocks: Readonly<Record<string, (token: Tokens.Generic) => ComponentChildren>> = {
  space: () => null,
  hr: () => <hr />,
  heading: ({ depth, tokens }) => <p class={`heading level-${Number(depth)}`}>{inline(tokens)}</p>,
  paragraph: ({ tokens }) => <p>{inline(tokens)}</p>,
  text: ({ tokens, text }) => (tokens === undefined ? String(text) : inline(tokens)),
  code: ({ text }) => (
    <pre tabIndex={0}>
      <code>{String(text)}</code>
    </pre>
  ),
  blockquote: ({ tokens }) => <blockquote>{blocks(tokens ?? [])}</blockquote>,
  checkbox: box,
  list: (token) => list(token as Tokens.List),
  table: (token) => table(token as Tokens.Table),
}

function block(token: Tokens.Generic): ComponentChildren {
  return drawnBlocks[token.type]?.(token) ?? <p>{token.raw}</p>
}

function list({ ordered, start, items }: Tokens.List): ComponentChildren {
  const drawn = items.map(({ tokens }) => <li>{blocks(tokens)}</li>)
  return ordered ? <ol start={Number(start) || 1}>{drawn}</ol> : <ul>{drawn}</ul>
}

function box({ checked }: Tokens.Generic): string {
  return checked === true ? '☑ ' : '☐ '
}

function table({ header, rows }: Tokens.Table): ComponentChildren {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }) => (
              <th style={sideOf(align)}>{inline(tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map(({ tokens, align }) => (
                <td style={sideOf(align)}>{inline(tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function sideOf(align: Tokens.TableCell['align']): { readonly textAlign?: 'center' | 'left' | 'right' } {
  return align === null ? {} : { textAlign: align }
}

function inline(tokens: readonly Token[] = []): ComponentChildren {
  return tokens.map((token) => phrase(token as Tokens.Generic))
}

const drawnPhrases: Readonly<Record<string, (token: Tokens.Generic) => ComponentChildren>> = {
  strong: ({ tokens }) => <strong>{inline(tokens)}</strong>,
  em: ({ tokens }) => <em>{inline(tokens)}</em>,
  del: ({ tokens }) => <del>{inline(tokens)}</del>,
  codespan: ({ text }) => <code>{String(text)}</code>,
  br: () => <br />,
  checkbox: box,
  link: ({ href, tokens }) => link(String(href), inline(tokens)),
  image: ({ text, href }) => <span class="no-image">[image: {String(text || href)}]</span>,
  text: ({ tokens, text }) => (tokens === undefined ? String(text) : inline(tokens)),
  escape: ({ text }) => String(text),
}

function phrase(token: Tokens.Generic): ComponentChildren {
  return drawnPhrases[token.type]?.(token) ?? token.raw
}

function link(href: string, words: ComponentChildren): ComponentChildren {
  if (!/^https?:\/\//i.test(href)) return words
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {words}
    </a>
  )
}
