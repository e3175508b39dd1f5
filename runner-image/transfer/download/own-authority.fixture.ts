import { fetchFixture } from '../../../testing/runner/fetch-fixture.ts'
import { Failure } from '../../../common/domain/failures.ts'

/**
 * Fetches one input in a process of its own, because Node reads NODE_EXTRA_CA_CERTS at its start alone. Prints the bytes,
 * or the message of the failure.
 */
const fixture = await fetchFixture()
try {
  await fixture.fetch(process.argv[2] ?? '')
  console.log((await fixture.stored('in_1.mp4')).toString())
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.log(error.message)
} finally {
  await fixture.cleanUp()
}
