import { confirmed } from '../../parts/confirm.tsx'
import { now } from '../../parts/now.ts'
import { cancelQuestion } from './cancel-question.ts'

/** Resolves at once where no more than a minute of work would be lost, and otherwise with the answer of the user. */
export async function mayCancel(
  commands: readonly { readonly started_at?: string | null }[],
): Promise<boolean> {
  const question = cancelQuestion(commands, now.peek())
  return question === null || confirmed({ ...question, keep: 'Let it run' })
}
