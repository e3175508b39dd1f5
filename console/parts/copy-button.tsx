import { useSignal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { copyText } from './clipboard.ts'
import { Icon } from '../controls/icons.tsx'

interface Props {
  readonly text: string
  /** Name of the copied thing, after "Copy". */
  readonly what: string
  /** Shows the words beside the icon; `short`: without the name. */
  readonly worded?: boolean | 'short'
}

export function CopyButton({ text, what, worded = false }: Props) {
  const said = useSignal<string | null>(null)
  const copy = async () => {
    said.value = (await copyText(text)) ? 'Copied' : 'Not copied: select the text'
    browserEffects.clock.schedule(2_000, () => (said.value = null))
  }
  return (
    <button
      type="button"
      class={worded ? 'button' : 'button quiet small'}
      aria-label={worded === true ? undefined : `Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={said.value === 'Copied' ? 'done' : 'copy'} />
      {said.value ?? (worded === true ? `Copy ${what}` : worded === 'short' ? 'Copy' : null)}
    </button>
  )
}
