import { checkStorage } from '../../doctor/check-storage.ts'
import { attempt, bad, good, lineOf } from '../../doctor/finding.ts'
import { networkFault } from '../../client/errors.ts'
import { cliCommand } from '../../terminal/cli-command.ts'
import type { Finding } from '../../doctor/finding.ts'
import type { Shell } from '../../terminal/shell.ts'

/** Presigned URLs carry a time: storage refuses those of a clock that is this far ahead or behind. */
const mostSkewSeconds = 60

export const doctor = cliCommand({
  summary: 'find what keeps calls from working',
  about:
    'Checks address, name and certificate of its host, service, key, clock and storage, and says what to do about each problem. Exit code 1 if there is one.',
  example: 'doctor',
  async run(_, shell) {
    const { url, urlFrom, keyFrom } = shell.connection()
    const findings: Finding[] = []
    const say = (...found: Finding[]): void => {
      findings.push(...found)
      for (const finding of found) shell.print(lineOf(finding))
    }
    say(good('address', `${url} (${urlFrom})`))
    const client = shell.client()
    const usage = await attempt(() => client.getUsage({ signal: shell.signal }))
    if (usage instanceof Error) {
      const isKey = 'status' in usage && usage.status === 401
      const remedy = `the service does not know the key of ${keyFrom}; 'cloud-ffmpeg login' keeps another`
      say(isKey ? bad('key', remedy) : bad(networkFault(usage) ?? 'service', usage.message))
      return 1
    }
    say(good('service', 'answers'))
    say(good('key', `plan ${usage.plan} (${keyFrom})`))
    say(await clock(url, shell))
    say(...(await checkStorage(client, url, shell)))
    return findings.some(({ verdict }) => verdict === 'problem') ? 1 : 0
  },
})

async function clock(url: string, { fetch, clock: own, signal }: Shell): Promise<Finding> {
  const response = await attempt(() => fetch(url, { method: 'HEAD', signal }))
  if (response instanceof Error)
    return bad('clock', `no answer to compare with: ${response.message}`)
  const date = response.headers.get('date')
  if (date === null) return good('clock', 'not compared: the answer has no Date')
  const seconds = Math.round((own.wall().getTime() - Date.parse(date)) / 1_000)
  const text = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the service`
  return Math.abs(seconds) <= mostSkewSeconds
    ? good('clock', text)
    : bad('clock', `${text}: set this machine's time, or uploads and downloads are refused`)
}
