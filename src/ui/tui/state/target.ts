import type { Tab } from './ui.ts'

/** The thing at a cell of the screen that a click leads to. */
export type Target =
  | { readonly at: 'tab'; readonly tab: Tab }
  | { readonly at: 'row'; readonly id: string }
  | { readonly at: 'pane'; readonly name: string }
  | { readonly at: 'questions' }
