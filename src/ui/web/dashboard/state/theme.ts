export const themeChoices = ['auto', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

const key = 'troupe-theme'

/** The theme that a person chose before; `auto` follows the system. */
export function chosenTheme(): ThemeChoice {
  const kept = localStorage.getItem(key)
  return themeChoices.find((each) => each === kept) ?? 'auto'
}

/** Keeps a choice and shows it. */
export function chooseTheme(theme: ThemeChoice): void {
  localStorage.setItem(key, theme)
  document.documentElement.dataset['theme'] = theme
}

export function nextTheme(theme: ThemeChoice): ThemeChoice {
  return themeChoices[(themeChoices.indexOf(theme) + 1) % themeChoices.length] ?? 'auto'
}
