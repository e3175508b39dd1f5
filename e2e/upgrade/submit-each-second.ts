import type { SingleSubmission } from '../../cli/client/client.ts'

interface Target {
  readonly url: string
  readonly apiKey: string
}

export interface Submitting {
  /** Ids of commands. */
  readonly accepted: readonly string[]
  /** Answers instead, or the reason why none came. */
  readonly refused: readonly string[]
  stop(): Promise<void>
}

const betweenSubmissionsMs = 1_000

/**
 * Submits until it is stopped, without retries and each on a connection of its own, so that a replica that ends is
 * noticed.
 * @param next the submission with this number, from 0
 */
export function submitEachSecond(
  { url, apiKey }: Target,
  next: (number: number) => SingleSubmission & { readonly webhook_url?: string },
): Submitting {
  const accepted: string[] = []
  const refused: string[] = []
  const ending = new AbortController()
  const submit = async (number: number): Promise<void> => {
    try {
      const answer = await fetch(`${url}/v1/run-ffmpeg-command`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, connection: 'close' },
        body: JSON.stringify(next(number)),
      })
      const text = await answer.text()
      if (!answer.ok) refused.push(`${answer.status} ${text}`)
      else accepted.push((JSON.parse(text) as { command_id: string }).command_id)
    } catch (error) {
      refused.push(String(error))
    }
  }
  const running = (async () => {
    for (let number = 0; !ending.signal.aborted; number += 1) {
      await submit(number)
      await new Promise((resume) => setTimeout(resume, betweenSubmissionsMs))
    }
  })()
  return {
    accepted,
    refused,
    async stop() {
      ending.abort()
      await running
    },
  }
}
