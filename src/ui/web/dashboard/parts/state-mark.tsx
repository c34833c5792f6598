import type { Condition } from '../../../../projections/screen/condition.ts'

/** The words of a condition, for those who see no shape. */
export const conditionWords: Readonly<Record<Condition, string>> = {
  asks: 'asks you',
  failed: 'failed',
  interrupted: 'interrupted',
  tool: 'acting',
  thinking: 'thinking',
  waiting: 'waiting',
  idle: 'idle',
  gone: 'gone',
}

/** A condition as a shape in a colour: either of the two alone tells it apart. */
export function StateMark({ of }: { readonly of: Condition }) {
  return (
    <svg class={`mark ${of}`} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[of]}
    </svg>
  )
}

const shapes = {
  asks: <path d="M8 .8 15.2 8 8 15.2.8 8z" class="fill" />,
  failed: <path d="M3.2 3.2l9.6 9.6M12.8 3.2l-9.6 9.6" class="stroke" />,
  interrupted: <path d="M3.4 3.4h9.2v9.2H3.4z" class="fill" />,
  tool: <path d="M4 2.2 13.6 8 4 13.8z" class="fill" />,
  thinking: (
    <>
      <circle cx="8" cy="8" r="2.6" class="fill" />
      <circle cx="8" cy="8" r="6.2" class="stroke turning" />
    </>
  ),
  waiting: <path d="M5.2 2.8v10.4M10.8 2.8v10.4" class="stroke" />,
  idle: <circle cx="8" cy="8" r="4.6" class="stroke" />,
  gone: <path d="M3.5 8h9" class="stroke" />,
} as const
