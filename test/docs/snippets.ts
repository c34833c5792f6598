import { globSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** One fenced block of a document; `note` is what follows the language on its fence. */
export interface Snippet {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly note: string
  readonly text: string
}

const fence = /^```(?<language>[a-z]+)(?<note>[^\n]*)\n(?<text>.*?)^```$/gms

/** All fenced blocks of one document, in order. */
export function snippetsOf(file: string, document: string): readonly Snippet[] {
  return [...document.matchAll(fence)].map(({ index, groups }) => ({
    file,
    line: document.slice(0, index).split('\n').length,
    language: groups?.['language'] ?? '',
    note: groups?.['note']?.trim() ?? '',
    text: groups?.['text'] ?? '',
  }))
}

/** The documents of the repository: the README, what lies beside it, and everything in docs/. */
export const documents: readonly string[] = globSync(['*.md', 'docs/**/*.md']).toSorted()

/** The fenced blocks of all documents. */
export const snippets: readonly Snippet[] = documents.flatMap((file) => snippetsOf(file, readFileSync(file, 'utf8')))

/** The blocks of all documents in one language, as its fence names it: `ts`, `sh`, `yaml`. */
export function inLanguage(language: string): readonly Snippet[] {
  return snippets.filter((snippet) => snippet.language === language)
}

export function where({ file, line }: Snippet): string {
  return `${file}:${line}`
}

/** A YAML block that shows a whole team, rather than a part of one. */
export function isTeam({ language, text }: Snippet): boolean {
  if (language !== 'yaml') return false
  const document: unknown = parse(text)
  return typeof document === 'object' && document !== null && 'name' in document && 'coordinator' in document
}
