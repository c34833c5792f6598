import { didYouMean } from '../../../rules/tools/did-you-mean.ts'

/** Globs on file names by the names that ripgrep has for kinds of files; here, so that every backend means the same. */
const globs: Readonly<Record<string, string>> = {
  c: '*.{c,h}',
  cpp: '*.{cpp,cc,cxx,hpp,hh,hxx,h,inl}',
  cs: '*.cs',
  css: '*.{css,scss}',
  csv: '*.csv',
  dart: '*.dart',
  docker: '*Dockerfile*',
  elixir: '*.{ex,exs,eex}',
  erlang: '*.{erl,hrl}',
  go: '*.go',
  graphql: '*.{graphql,graphqls}',
  haskell: '*.{hs,lhs}',
  html: '*.{htm,html}',
  java: '*.java',
  js: '*.{js,jsx,mjs,cjs,vue}',
  json: '*.{json,jsonl}',
  kotlin: '*.{kt,kts}',
  lua: '*.lua',
  make: '*{akefile,.mk,.mak}',
  markdown: '*.{md,markdown,mdx}',
  md: '*.{md,markdown,mdx}',
  perl: '*.{pl,pm,t}',
  php: '*.php',
  proto: '*.proto',
  py: '*.{py,pyi}',
  ruby: '*.{rb,gemspec}',
  rust: '*.rs',
  scala: '*.{scala,sbt}',
  sh: '*.{sh,bash,zsh,ksh}',
  sql: '*.sql',
  svelte: '*.svelte',
  swift: '*.swift',
  tf: '*.{tf,tfvars}',
  toml: '*.toml',
  ts: '*.{ts,tsx,mts,cts}',
  txt: '*.txt',
  vue: '*.vue',
  xml: '*.{xml,xsd,xsl,svg}',
  yaml: '*.{yaml,yml}',
  zig: '*.zig',
}

/** `typeGlob('ts')` → `*.{ts,tsx,mts,cts}`; undefined for a kind that nobody knows. */
export function typeGlob(type: string): string | undefined {
  return Object.hasOwn(globs, type) ? globs[type] : undefined
}

/** Why a kind of file cannot be searched for, in words for the model, or null. */
export function typeComplaint(type: string): string | null {
  if (typeGlob(type) !== undefined) return null
  const known = Object.keys(globs)
  const near = didYouMean(type, known)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return `There is no file type ${type}.${hint} Use glob instead, or one of: ${known.join(', ')}.`
}
