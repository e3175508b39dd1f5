import { storedKey } from '../gateway/calls/stored-key.ts'

/**
 * Who may read the objects of a namespace sees URLs of private files, which cannot be opened without a signature. A
 * command of the same account can read them, so its public output would give them to everybody.
 * @param inputs name of the field or alias, and URL
 * @param bases addresses below which a URL is a file of the service
 * @returns one sentence, or null: nothing private becomes public
 */
export function publishedInput(
  { inputs, isPrivate }: { readonly inputs: readonly Input[]; readonly isPrivate: boolean },
  bases: readonly string[],
): string | null {
  if (isPrivate) return null
  const published = inputs.find(([, url]) => storedKey(url, bases)?.startsWith('private/'))
  if (published === undefined) return null
  return (
    `${published[0]} is a private file, and an object that is applied may not make public files of it: ` +
    'set spec.private to true, or submit it by the REST API'
  )
}

export type Input = readonly [name: string, url: string]
