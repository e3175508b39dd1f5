import type { ComponentChildren } from 'preact'

interface Props {
  readonly isOn: boolean
  readonly isOff?: boolean
  /** Name for screen readers, if the children do not say enough. */
  readonly label?: string
  readonly title?: string
  readonly set: (isOn: boolean) => void
  readonly children: ComponentChildren
}

/** A checkbox with its words. */
export function Check({ isOn, isOff, label, title, set, children }: Props) {
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
