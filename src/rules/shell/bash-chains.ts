import type { Command, Script, SyntaxNode } from 'unbash'

/** Words that may give `cd` another meaning on the way. */
const unsteady = /\(\s*\)|(^|[\s;&|({])(function|alias|enable|hash|source|eval|trap|shopt|\.)(\s|$)|CDPATH/

/**
 * The simple commands of a script that stand in lists of nothing but `&&`, numbered by list: there, what follows a `cd`
 * runs in the new directory or not at all. Only whole statements count, and pipelines in them that change no directory.
 *
 * @example `cd src && cat a | head; ls` → `cd src`, `cat a` and `head` in list 0
 */
export function chainsIn(script: Script, source: string): ReadonlyMap<SyntaxNode, number> {
  const chains = new Map<SyntaxNode, number>()
  if (!source.includes('&&') || !/\b(cd|pushd)\b/.test(source) || unsteady.test(source)) return chains
  for (const [number, { command }] of script.commands.entries()) {
    if (command.type !== 'AndOr' || command.operators.some((operator) => operator !== '&&')) continue
    for (const member of command.commands) for (const simple of simpleIn(member)) chains.set(simple, number)
  }
  return chains
}

function simpleIn(member: SyntaxNode): readonly Command[] {
  if (member.type === 'Command') return [member]
  if (member.type !== 'Pipeline') return []
  const simple = member.commands.flatMap((command) => (command.type === 'Command' ? [command] : []))
  return simple.some(({ name }) => /^(cd|pushd|popd|builtin|command)$/.test(name?.value ?? 'cd')) ? [] : simple
}
