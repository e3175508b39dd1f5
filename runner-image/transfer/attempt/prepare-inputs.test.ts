import { expect } from 'chai'
import { attemptFixture } from '../../../testing/runner/attempt-fixture.ts'
import { startHttp } from '../../../testing/runner/servers.ts'

describe('fetching the inputs of a command', () => {
  it('the download ends with the time that transfers may take', async () => {
    const fixture = await attemptFixture()
    const origin = await startHttp((_request, response) => response.write('x'))
    try {
      const { exitCode, gateway } = await fixture.attempt(
        { run: async () => ({ code: 0 }) },
        {
          inputs: [{ alias: 'in_1', url: `${origin.url}/clip.mp4`, stored: null }],
          limits: {
            fileBytes: null,
            scratchBytes: 1024 ** 3,
            fileCount: 10,
            maxPixels: 1_000_000,
            transferSeconds: 0,
          },
        },
      )
      expect(exitCode).to.equal(0)
      expect(gateway.results[0]?.outcome).to.deep.equal({
        status: 'FAILED',
        errorStatus: 'UNREACHABLE_INPUT_FILE',
        errorMessage: 'Files could not be fetched within 0 seconds',
      })
    } finally {
      await fixture.cleanUp()
      await origin.close()
    }
  })
})
