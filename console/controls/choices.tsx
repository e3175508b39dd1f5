import { Icon } from './icons.tsx'
import type { ComponentChildren } from 'preact'
import type { IconName } from './shapes.ts'

interface ChipsProps<Name extends string> {
  readonly label: string
  /** Values with their words. */
  readonly names: Readonly<Record<Name, string>>
  readonly icons?: Readonly<Record<Name, IconName>>
  readonly value: Name
  readonly choose: (name: Name) => void
  readonly children?: ComponentChildren
}

/** Buttons, one of which is pressed. */
export function Chips<Name extends string>(props: ChipsProps<Name>) {
  return (
    <div class="chips row" role="group" aria-label={props.label}>
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

interface SelectProps<Name extends string> {
  /** null where a `<label>` has it. */
  readonly label: string | null
  /** Values with their words. */
  readonly names: Readonly<Record<Name, string>>
  readonly value: Name
  readonly isOff?: boolean
  readonly choose: (name: Name) => void
}

export function Select<Name extends string>({
  label,
  names,
  value,
  isOff,
  choose,
}: SelectProps<Name>) {
  return (
    <select
      aria-label={label ?? undefined}
      value={value}
      disabled={isOff}
      onChange={({ currentTarget }) => choose(currentTarget.value as Name)}
    >
      {(Object.keys(names) as Name[]).map((name) => (
        <option key={name} value={name}>
          {names[name]}
        </option>
      ))}
    </select>
  )
}

interface CheckProps {
  readonly isOn: boolean
  readonly isOff?: boolean
  /** Name for screen readers, if the children do not say enough. */
  readonly label?: string
  readonly title?: string
  readonly set: (isOn: boolean) => void
  readonly children: ComponentChildren
}

/** A checkbox with its words. */
export function Check({ isOn, isOff, label, title, set, children }: CheckProps) {
  return (
    <label class="check" title={title}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isOff}
        aria-label={label}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {children}
    </label>
  )
}
