import { parsed } from '../terminal/parse.ts'
import type { Client } from '../client/client.ts'
import type { Shell } from '../terminal/shell.ts'

interface Finding {
  readonly what: string
  readonly isGood: boolean
  /** What was found; of a problem also the remedy. */
  readonly text: string
}

/** Presigned URLs carry a time: storage refuses those of a clock that is this far ahead or behind. */
const mostSkewSeconds = 60

/** Checks one after the other what a call needs: address, service, key, clock, storage. 1: something is wrong. */
export async function doctor(args: string[], shell: Shell): Promise<number> {
  parsed(args, {})
  const { url, urlFrom, keyFrom } = shell.connection()
  const findings: Finding[] = [good('address', `${url} (${urlFrom})`)]
  const say = (finding: Finding): boolean => {
    findings.push(finding)
    shell.print(lineOf(finding))
    return finding.isGood
  }
  for (const finding of findings) shell.print(lineOf(finding))
  const client = shell.client()
  const usage = await attempt(() => client.getUsage({ signal: shell.signal }))
  if (usage instanceof Error) {
    const isKey = 'status' in usage && usage.status === 401
    const remedy = `the service does not know the key of ${keyFrom}; 'cloud-ffmpeg login' keeps another`
    say(isKey ? bad('key', remedy) : bad('service', usage.message))
    return 1
  }
  say(good('service', 'answers'))
  say(good('key', `plan ${usage.plan} (${keyFrom})`))
  say(await clock(url, shell))
  say(await storage(client, shell))
  return findings.every(({ isGood }) => isGood) ? 0 : 1
}

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

/** Reads one byte of the newest file that is stored: uploads and downloads go to the same place. */
async function storage(client: Client, { fetch, signal }: Shell): Promise<Finding> {
  const files = await attempt(() => client.listFiles({ limit: 20 }, { signal }))
  if (files instanceof Error) return bad('storage', files.message)
  const url = files.find(({ storage_url }) => storage_url !== null)?.storage_url ?? null
  if (url === null) return good('storage', 'not tried: no file is stored yet')
  const { origin } = new URL(url)
  const response = await attempt(() => fetch(url, { headers: { range: 'bytes=0-0' }, signal }))
  if (response instanceof Error) {
    return bad(
      'storage',
      `${origin} does not answer: ${reasonOf(response)}. Is its public address set?`,
    )
  }
  await response.body?.cancel()
  return response.ok
    ? good('storage', origin)
    : bad('storage', `${origin} answers ${response.status}: does it allow reading public files?`)
}

/** Of an error of `fetch`, the cause says more. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== ''
    ? error.cause.message
    : error.message
}

async function attempt<T>(run: () => Promise<T>): Promise<T | Error> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function good(what: string, text: string): Finding {
  return { what, isGood: true, text }
}

function bad(what: string, text: string): Finding {
  return { what, isGood: false, text }
}

function lineOf({ what, isGood, text }: Finding): string {
  return `${isGood ? 'ok     ' : 'PROBLEM'}  ${what.padEnd(8)} ${text}`
}
