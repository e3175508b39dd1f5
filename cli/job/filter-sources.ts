import { filterFileRole, filterOptionName } from '../../common/command-line/policy/filter-files.ts'

/**
 * Replaces files of this machine that filters read, such as `subtitles=film.srt`. A name in quotes or with
 * escaped characters stays as it is: the service then names it.
 */
export async function withFilterFiles(
  graph: string,
  exists: (file: string) => Promise<boolean>,
  placeholder: (file: string) => string,
): Promise<string> {
  const parts = await Promise.all(
    graph.split(/([,;[\]])/).map(async (part) => {
      const [, name = '', given = ''] = /^\s*(\w+)(?:@\w+)?=(.*)$/s.exec(part) ?? []
      if (given === '') return part
      const values = await Promise.all(
        given.split(':').map(async (text, position) => {
          const [, key = null, value = text] = /^(\w+)=(.*)$/s.exec(text) ?? []
          const option = filterOptionName(name, key, position)
          const role = option === null ? null : filterFileRole(name, option)
          const isRead = role === 'source' || role === 'font'
          return { key, value, text, isFile: isRead && value !== '' && (await exists(value)) }
        }),
      )
      return { front: part.slice(0, part.length - given.length), values }
    }),
  )
  // Aliases are counted in the order of the text, whichever file was found first.
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const values = part.values.map(({ key, value, text, isFile }) =>
        isFile ? `${key === null ? '' : `${key}=`}${placeholder(value)}` : text,
      )
      return part.front + values.join(':')
    })
    .join('')
}
