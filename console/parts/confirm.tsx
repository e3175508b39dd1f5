import { Button } from '../controls/button.tsx'
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

interface Question {
  readonly title: string
  /** Names what goes, and what remains. */
  readonly text: string
  /** The verb with its object: the button does not say OK. */
  readonly verb: string
  /** The other answer; "Keep" by default. */
  readonly keep?: string
  readonly answer: (yes: boolean) => void
}

const question = signal<Question | null>(null)

/** Resolves once the user has answered; for actions that cannot be undone, and keys that are pressed by accident. */
export function confirmed(what: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { ...what, answer }
  })
}

export function ConfirmDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = question.value
  useEffect(() => {
    if (asked !== null) dialog.current?.showModal()
  }, [asked])
  if (asked === null) return null
  const answer = (yes: boolean) => {
    question.value = null
    asked.answer(yes)
  }
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => answer(false)}>
      <h2 id="confirm-title">{asked.title}</h2>
      <p>{asked.text}</p>
      <div class="actions end">
        <Button onClick={() => answer(false)}>{asked.keep ?? 'Keep'}</Button>
        <Button look="bad" onClick={() => answer(true)}>
          {asked.verb}
        </Button>
      </div>
    </dialog>
  )
}
