import { Icon } from './icons.tsx'
import type { ComponentChildren } from 'preact'
import type { IconName } from './shapes.ts'

interface Props<Name extends string> {
  readonly label: string
  /** Values with their words. */
  readonly names: Readonly<Record<Name, string>>
  readonly icons?: Readonly<Record<Name, IconName>>
  readonly value: Name
  readonly choose: (name: Name) => void
  readonly children?: ComponentChildren
}

/** Buttons, one of which is pressed. */
export function Chips<Name extends string>(props: Props<Name>) {
  return (
    <div class="chips" role="group" aria-label={props.label}>
      {(Object.keys(props.names) as Name[]).map((name) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={props.value === name}
          onClick={() => props.choose(name)}
        >
          {props.icons !== undefined && <Icon name={props.icons[name]} />}
          {props.names[name]}
        </button>
      ))}
      {props.children}
    </div>
  )
}
