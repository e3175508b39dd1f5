import { useRef } from 'preact/hooks'
import { Icon } from '../../controls/icons.tsx'
import { attempt, say } from '../../parts/notices.ts'
import { go } from '../../shell/navigation.ts'
import { findId, idPattern } from './find-id.ts'
import type { Client } from '../../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  /** Ids of the commands on the screen. */
  readonly shownIds: () => readonly string[]
  readonly search: (text: string) => void
}

/** The service refuses shorter texts. */
const leastSearch = 3

/** Opens a command by its id or a part of it, or lists those that have the text. */
export function IdSearch({ client, shownIds, search }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const open = (event: Event) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    const pattern = idPattern(text)
    const shown = shownIds()
    const isOnScreen = pattern !== null && shown.filter(pattern.fits).length === 1
    if (pattern === null || (pattern.kind === 'part' && !isOnScreen)) {
      if (text.length >= leastSearch) search(text)
      else say(`Type ${leastSearch} characters of a command, a file name or an id.`, true)
      return
    }
    void attempt(async () => {
      go({ page: 'commands', id: await findId(client, pattern, shown) })
      return 'The command is open.'
    })
  }
  return (
    <form class="search" role="search" onSubmit={open}>
      <Icon name="search" />
      <input
        ref={input}
        id="search"
        type="search"
        placeholder="Search or id"
        aria-label="Search, or open by id"
      />
    </form>
  )
}
