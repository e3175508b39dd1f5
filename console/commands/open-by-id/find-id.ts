import type { Client } from '../../../cli/client/client-with-effects.ts'

interface IdPattern {
  readonly text: string
  readonly kind: 'whole' | 'part' | 'ends'
  readonly fits: (id: string) => boolean
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const part = /^[0-9a-f-]{4,}$/
const ends = /^([0-9a-f-]*)(?:…|\.{2,3})([0-9a-f-]*)$/

/** Commands that the text means: a whole id, a part of it, or both ends as pages show them; null for any other text. */
export function idPattern(typed: string): IdPattern | null {
  const text = typed.trim().toLowerCase()
  const kind = uuid.test(text) ? 'whole' : 'part'
  if (part.test(text)) return { text, kind, fits: (id) => id.includes(text) }
  const [, first = '', last = ''] = ends.exec(text) ?? []
  if (first.length + last.length < 4) return null
  return { text, kind: 'ends', fits: (id) => id.startsWith(first) && id.endsWith(last) }
}

/** Number of newest commands that a partial id is compared with. */
const searched = 200

/**
 * The id that is meant, of the commands on the screen or else of the newest of the account.
 * @throws if none or several fit
 */
export async function findId(
  client: Client,
  { text, kind, fits }: IdPattern,
  shown: readonly string[],
): Promise<string> {
  if (kind === 'whole') return text
  const here = shown.filter(fits)
  const found = here.length > 0 ? here : (await newestIds(client)).filter(fits)
  const [only] = found
  if (only === undefined) {
    throw new Error(`None of the newest ${searched} commands has ${text} in its id.`)
  }
  if (found.length > 1) throw new Error(`${found.length} commands have ${text} in their ids.`)
  return only
}

async function newestIds(client: Client): Promise<string[]> {
  const newest = await client.listCommands({ limit: searched })
  return newest.map(({ command_id: id }) => id)
}
