import { withKey } from './rig.ts'
import type { Rig } from './rig.ts'
import { connect } from './rows.ts'

const clients = 32
const submittingMs = 2_000

/** Ends the server by SIGKILL while clients submit, and checks every command that it acknowledged. */
export async function killWhileSubmitting(
  { api, databaseUrl }: Rig,
  body: string,
): Promise<{ acknowledged: number; missing: number }> {
  const ids: string[] = []
  let killed = false
  const submit = async (): Promise<void> => {
    const headers = { 'Content-Type': 'application/json', ...withKey }
    while (!killed) {
      try {
        const url = `${api.url}/v1/run-ffmpeg-command`
        const answer = await fetch(url, { method: 'POST', headers, body })
        ids.push(idIn(await answer.json()))
      } catch (error) {
        // What was never acknowledged may be there or not.
        if (!killed) throw error
      }
    }
  }
  const submitting = Array.from({ length: clients }, submit)
  await new Promise((resolve) => setTimeout(resolve, submittingMs))
  killed = true
  await api.kill()
  await Promise.all(submitting)
  const client = await connect(databaseUrl)
  try {
    const found = await client.query('select from commands where command_id = any($1::uuid[])', [
      ids,
    ])
    return { acknowledged: ids.length, missing: ids.length - (found.rowCount ?? 0) }
  } finally {
    await client.end()
  }
}

function idIn(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null && 'command_id' in answer) {
    return String(answer.command_id)
  }
  throw new Error(`not acknowledged: ${JSON.stringify(answer)}`)
}
