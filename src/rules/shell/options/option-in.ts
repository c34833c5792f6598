interface OptionNames {
  readonly letters?: string
  /** The letters of the program that take a value: what stands behind one in the same word is no option. */
  readonly valued?: string
  /** Long ones, of which every beginning counts. */
  readonly names?: readonly string[]
}

/** `-3R`, `--der`: the option in a group of letters, digits and signs, or with its long name cut short. */
export function optionIn({ letters = '', valued = '', names = [] }: OptionNames): RegExp {
  const long = names.map((name) => `--${name.split('').reduceRight((rest, sign) => `${sign}(?:${rest})?`)}(?:=|$)`)
  return new RegExp(`^(?:${[`-(?!-)[^${valued}\\s]*[${letters}]`, ...long].join('|')})`)
}
