import { useLayoutEffect, useRef } from 'preact/hooks'
import { segmentsOf } from '../../draft/marks.ts'
import type { Marked, Range } from '../../draft/marks.ts'

interface Props {
  readonly text: string
  readonly label: string
  readonly marks: readonly Marked[]
  /** Range that the caret moves to; a new object moves it again. */
  readonly select: Range | null
  /** Id of the list of problems. */
  readonly describedBy: string
  readonly isWrong: boolean
  /** Declared aliases; null: any may exist. */
  readonly known: readonly string[] | null
  readonly change: (text: string) => void
}

/**
 * A text field over a backdrop of the same text, which has the colours: the field stays the browser's
 * own, with its keys, its undo and what screen readers know of it.
 */
export function Editor({ text, label, marks, select, describedBy, isWrong, known, change }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (select === null) return
    area.current?.focus()
    area.current?.setSelectionRange(select.from, select.to)
  }, [select])
  return (
    <div class="editor mono">
      <div class="backdrop" aria-hidden="true">
        {segmentsOf(text, marks, known).map(({ text: piece, isPlaceholder, tone }, index) => (
          <span
            key={index}
            class={`${isPlaceholder ? 'placeholder' : ''} ${tone === null ? '' : `mark ${tone}`}`}
          >
            {piece}
          </span>
        ))}
        {'\u200b'}
      </div>
      <textarea
        ref={area}
        class="mono"
        rows={3}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={describedBy}
        placeholder="-i {{in_1}} -vf scale=-2:480 {{out_1}}"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </div>
  )
}
