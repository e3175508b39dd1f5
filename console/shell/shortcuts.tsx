import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../controls/button.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { preferences } from '../parts/preferences.ts'

type Shortcut = readonly [keys: string, words: string, act: (() => void) | null]

/** Actions of keys; each has a button or a link that does the same. */
const shortcutsTo = (pages: readonly PageKey[]): readonly Shortcut[] => [
  ['/', 'Search, or open a command by its id', () => focus('#search')],
  ['j', 'Next command', () => move(1)],
  ['k', 'Previous command', () => move(-1)],
  ['Enter', 'Open the command', null],
  ['x', 'Select the command', () => click('tr:focus-within input[type=checkbox]')],
  ['r', 'Run again: the command of the page, or what is selected', () => void runAgain()],
  ['e', 'Edit: the command of the page, or the one that is selected', () => clickLink('e')],
  ...pages.map(({ key, title }): Shortcut => [`g ${key}`, title, () => clickLink(`g ${key}`)]),
  ['Ctrl Enter', 'Run the command of the playground', null],
  ['?', 'This list', () => (isShown.value = true)],
  ['Esc', 'Close', null],
]

/** `key` is pressed after `g`. */
interface PageKey {
  readonly key: string
  readonly title: string
}

const isShown = signal(false)

/** The second key of a pair is pressed within this time after the first, however long the page takes to handle both. */
const pairMs = 1_500

/** Letters without Ctrl get in the way of speech input, so they can be switched off in the settings. */
export function installShortcuts(pages: readonly PageKey[]): void {
  const shortcuts = shortcutsTo(pages)
  let first: KeyboardEvent | null = null
  document.addEventListener('keydown', (event) => {
    if (preferences.peek().letters === 'off') return
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
    const { target } = event
    if (
      !(target instanceof Element) ||
      target.closest('input, select, textarea, dialog') !== null
    ) {
      // A checkbox takes no text, and is where `x` leaves the focus.
      if (!(target instanceof HTMLInputElement && target.type === 'checkbox')) return
    }
    const isPair = first !== null && event.timeStamp - first.timeStamp <= pairMs
    const pressed = isPair ? `g ${event.key}` : event.key
    first = pressed === 'g' ? event : null
    const act = shortcuts.find(([keys]) => keys === pressed)?.[2] ?? null
    if (act === null) return
    event.preventDefault()
    act()
  })
}

export function ShortcutHelp({ pages }: { readonly pages: readonly PageKey[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isShown.value) dialog.current?.showModal()
  }, [isShown.value])
  if (!isShown.value) return null
  return (
    <dialog ref={dialog} aria-labelledby="shortcuts-title" onClose={() => (isShown.value = false)}>
      <h2 id="shortcuts-title">Shortcuts</h2>
      <dl class="shortcuts">
        {shortcutsTo(pages).map(([key, words]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {preferences.value.letters === 'off' && (
        <p class="note">All but Ctrl Enter and Esc are switched off in the settings.</p>
      )}
      <div class="actions end">
        <Button onClick={() => (isShown.value = false)}>Close</Button>
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

/** A letter that is pressed by accident must not spend the quota. */
async function runAgain(): Promise<void> {
  const button = document.querySelector<HTMLButtonElement>('[data-shortcut="r"]:enabled')
  if (button === null) return
  const verb = button.textContent.trim()
  const text = 'A new command begins, which counts like any other.'
  if (await confirmed({ title: `${verb}?`, text, verb, keep: 'Do not run' })) button.click()
}

const clickLink = (keys: string) => click(`[data-shortcut="${keys}"]`)

/** Moves from the row with the focus, or to the first row. */
function move(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('.command-cell a')]
  const at = links.findIndex(
    (link) => link.closest('tr')?.contains(document.activeElement) === true,
  )
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
}
