/** One field of a form that a server asks a person to fill in. */
export interface FormField {
  readonly name: string
  readonly title: string
  readonly hint: string
  readonly options: readonly string[]
  readonly type: string
  readonly fallback: unknown
}

const mostFields = 20

/** The protocol forbids a server to ask for these in a form. */
const secret = /passw|passphrase|secret|token|credential|api[\s_-]?key/i
const warning = '; give no secret here: the server reads it'

/** The fields of a form, from the schema that came with it. */
export function fieldsOf(schema: unknown): readonly FormField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties)
    .slice(0, mostFields)
    .map(([name, field]) => {
      const { type, title, description, enum: values, oneOf, default: fallback } = field ?? {}
      const kind = typeof type === 'string' ? type : 'string'
      const choices = Array.isArray(values) ? values : constantsOf(oneOf)
      const words = [title, description].filter((word) => typeof word === 'string').join(': ')
      const usual = fallback === undefined ? '' : `, usually ${JSON.stringify(fallback)}`
      return {
        name,
        title: words === '' ? name : `${name}: ${words.slice(0, 500)}`,
        hint: `${kind}${required.includes(name) ? '' : ', may be empty'}${usual}${secret.test(`${name} ${words}`) ? warning : ''}`,
        options: kind === 'boolean' ? ['true', 'false'] : choices.filter((one) => typeof one === 'string'),
        type: kind,
        fallback,
      }
    })
}

function constantsOf(choices: unknown): readonly unknown[] {
  return Array.isArray(choices)
    ? choices.map((one: unknown) => (one as { readonly const?: unknown } | null)?.const)
    : []
}

/** A person's words as the value of a field; undefined when there is none. */
export function readField({ type, fallback }: FormField, answer: string): unknown {
  const text = answer.trim()
  if (text === '') return fallback
  if (type === 'boolean') return /^(true|yes|y|1)$/i.test(text)
  if (type === 'number' || type === 'integer') return Number.isFinite(Number(text)) ? Number(text) : fallback
  if (type === 'array') return text.split(',').map((each) => each.trim())
  return answer
}
