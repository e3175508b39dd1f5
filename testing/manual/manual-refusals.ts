import path from 'node:path'
import type { CommandError } from '../../common/command-line/model/plan.ts'
import { pairsOf } from '../support/lists.ts'

/** A kind of refusal that is right for an example of the manual. */
interface RefusalClass {
  readonly name: string
  readonly words: RegExp
  readonly token: RegExp
}

const classes = pairsOf(path.join(import.meta.dirname, 'manual-refusals.txt')).map(
  ({ given }): RefusalClass => {
    const [, name = '', words = '', token = ''] = /^(.+?): (.+?)(?: {2}(.+))?$/.exec(given) ?? []
    return { name, words: new RegExp(words), token: new RegExp(token) }
  },
)

/** The class of a refusal; null for an unknown one, which is a mistake of the grammar. */
export function refusalClass({ message, token: refused }: CommandError): string | null {
  const found = classes.find(({ words, token }) => words.test(message) && token.test(refused ?? ''))
  return found?.name ?? null
}
