import { Icon } from './icons.tsx'
import type { ComponentChildren, Ref } from 'preact'
import type { IconName } from './shapes.ts'

interface Props {
  readonly look?: 'primary' | 'quiet' | 'bad' | 'quiet bad' | undefined
  readonly isSmall?: boolean
  readonly icon?: IconName
  /** Name for screen readers, in place of the children or more exact than they are. */
  readonly label?: string
  readonly title?: string | undefined
  readonly isOff?: boolean
  /** Key of the keyboard that presses it. */
  readonly shortcut?: string
  readonly buttonRef?: Ref<HTMLButtonElement>
  readonly onClick: () => unknown
  readonly children?: ComponentChildren
}

/** A button that does not submit a form. One with an icon alone has its label as a tooltip. */
export function Button(props: Props) {
  const { look = '', isSmall, icon, label, isOff, shortcut, children } = props
  return (
    <button
      ref={props.buttonRef ?? null}
      type="button"
      class={`button ${look} ${isSmall ? 'small' : ''}`}
      aria-label={label}
      title={props.title ?? (children === undefined ? label : undefined)}
      disabled={isOff}
      data-shortcut={shortcut}
      onClick={() => void props.onClick()}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}
