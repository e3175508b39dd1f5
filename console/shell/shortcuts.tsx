import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** What each key does; each has a button or a link that does the same. */
const shortcuts = [
  ['/', 'Open a command by its id', () => focus('#search')],
  ['j', 'Next command', () => move(1)],
  ['k', 'Command before', () => move(-1)],
  ['Enter', 'Open the command', null],
  ['x', 'Select the command', () => click('tr:focus-within input[type=checkbox]')],
  ['r', 'Run the command again', () => click('[data-shortcut=r]')],
  ['e', 'Open the command in the playground', () => click('[data-shortcut=e]')],
  ['c', 'All commands', () => click('[data-shortcut=c]')],
  ['p', 'Playground', () => click('[data-shortcut=p]')],
  ['f', 'Files', () => click('[data-shortcut=f]')],
  ['w', 'Webhooks', () => click('[data-shortcut=w]')],
  ['u', 'Usage', () => click('[data-shortcut=u]')],
  ['s', 'Settings', () => click('[data-shortcut=s]')],
  ['Ctrl Enter', 'Run the command of the playground', null],
  ['?', 'This list', () => (isShown.value = true)],
  ['Esc', 'Close', null],
] as const

const isShown = signal(false)

export function installShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
    const { target } = event
    if (
      !(target instanceof Element) ||
      target.closest('input, select, textarea, dialog') !== null
    ) {
      // A checkbox takes no text, and is where `x` leaves the focus.
      if (!(target instanceof HTMLInputElement && target.type === 'checkbox')) return
    }
    const act = shortcuts.find(([key]) => key === event.key)?.[2] ?? null
    if (act === null) return
    event.preventDefault()
    act()
  })
}

export function ShortcutHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isShown.value) dialog.current?.showModal()
  }, [isShown.value])
  if (!isShown.value) return null
  return (
    <dialog ref={dialog} aria-labelledby="shortcuts-title" onClose={() => (isShown.value = false)}>
      <h2 id="shortcuts-title">Shortcuts</h2>
      <dl class="shortcuts">
        {shortcuts.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <div class="actions end">
        <button type="button" class="button" onClick={() => (isShown.value = false)}>
          Close
        </button>
      </div>
    </dialog>
  )
}

export const showShortcuts = () => (isShown.value = true)

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus()
}

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click()
}

/** From the row with the focus, or to the first row. */
function move(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('.command-cell a')]
  const at = links.findIndex(
    (link) => link.closest('tr')?.contains(document.activeElement) === true,
  )
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
}
