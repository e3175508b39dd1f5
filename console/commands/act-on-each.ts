import { reasonOf } from '../parts/notices.ts'

/**
 * Acts on one command after the other: what is refused for one does not keep the others from it.
 * @param done after the number of commands, such as "cancelled"
 * @returns ids of the commands that were refused, and what happened in words
 */
export async function actOnEach(
  ids: readonly string[],
  done: string,
  act: (id: string) => Promise<unknown>,
) {
  const refused = new Map<string, unknown>()
  for (const id of ids) await act(id).catch((error: unknown) => refused.set(id, error))
  const [first] = refused.values()
  const text = `${counted(ids.length - refused.size)} ${done}.`
  const why = refused.size === 0 ? '' : ` ${counted(refused.size)} not: ${reasonOf(first)}`
  return { refused: new Set(refused.keys()), text: text + why }
}

export function counted(count: number): string {
  return count === 1 ? '1 command' : `${count} commands`
}
