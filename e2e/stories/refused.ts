import { ApiError } from '../../cli/client/api-error.ts'

/** The status and text with which the service refuses a call. */
export async function refused(call: Promise<unknown>): Promise<{ status: number; detail: string }> {
  const error: unknown = await call.then(
    () => new Error('the call was not refused'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, detail: error.detail }
}
