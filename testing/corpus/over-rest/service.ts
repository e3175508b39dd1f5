import type { Client } from '../../../cli/client/client.ts'
import type { Origin } from '../../../e2e/steps/origin.ts'

/** A running service, and what is needed to hold it against a plain shell. */
export interface ServiceUnderTest {
  readonly client: Client
  /** Serves the samples, and `samples.zip` with those of an archive. */
  readonly origin: Pick<Origin, 'url'>
  /** File system of the runner image. */
  readonly root: string
  readonly samples: string
}
