import { effect } from '@preact/signals'
import { hasEnded } from '../parts/state.ts'
import { createCommand, isUnknown } from './command-store.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

/** @returns the record of a command once it has ended, which the stream of events tells */
export async function endOf(client: Client, id: string): Promise<CommandStatusRecord> {
  const command = createCommand(client, id)
  const { promise, resolve, reject } = Promise.withResolvers<CommandStatusRecord>()
  const stop = effect(() => {
    const record = command.record.value
    if (record !== null && hasEnded(record)) resolve(record)
    // After any other problem, the next connection reads it again.
    if (isUnknown(command.problem.value)) reject(command.problem.value)
  })
  try {
    return await promise
  } finally {
    stop()
    command.close()
  }
}
