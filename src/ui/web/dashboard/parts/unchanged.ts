import { Component, type ComponentChildren } from 'preact'

interface UnchangedProps {
  /** The parts of the drawing: it is made again when one of them is another one. */
  readonly of: readonly unknown[]
  readonly draw: () => ComponentChildren
}

/** Draws something again only when what it is drawn from is another thing. */
export class Unchanged extends Component<UnchangedProps> {
  override shouldComponentUpdate({ of }: UnchangedProps): boolean {
    const before = this.props.of
    return of.length !== before.length || of.some((each, index) => each !== before[index])
  }

  override render(): ComponentChildren {
    return this.props.draw()
  }
}
