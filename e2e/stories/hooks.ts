import { stopEnvironment } from './environment.ts'

export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(120_000)
    await stopEnvironment()
  },
}
