import { useRef } from 'preact/hooks'
import { Icon } from '../../controls/icons.tsx'
import { attempt, say } from '../../parts/notices.ts'
import { go } from '../../shell/navigation.ts'
import { findId, idPattern } from './find-id.ts'
import type { Client } from '../../../cli/client/client-with-effects.ts'
import type { PageList } from '../../lists/page-list.ts'
import type { Row } from '../list-rows.ts'

interface Props {
  readonly client: Client
  readonly list: PageList<Row>
}

/** Opens a command by its id or a part of it. */
export function IdSearch({ client, list }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const open = (event: Event) => {
    event.preventDefault()
    const pattern = idPattern(input.current?.value ?? '')
    if (pattern === null) {
      return say('Type an id, 4 characters of it, or both of its ends, such as 0197…9d1e01.', true)
    }
    const shown = list.items.peek().map((row) => row.peek().command_id)
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
        placeholder="Open by id"
        aria-label="Open by id, or a part of it"
      />
    </form>
  )
}
