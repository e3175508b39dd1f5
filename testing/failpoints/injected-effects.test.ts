import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'

/** Time and randomness of the machine, which lint does not find. */
const ownEffects =
  /new Date\(\)|AbortSignal\.timeout\(|\brandomUUID\(|\bsetTimeout\b.* from 'node:timers/g

/** Files that make the injected ones, a default of the public client, and a step of the image's build. */
const exempt = [
  'cli/client/browser-effects.ts',
  'cli/exports/webhooks.ts',
  'common/runtime/system-effects.ts',
  'runner-image/write-compile-cache.ts',
]

describe('time and randomness', () => {
  const root = path.resolve(import.meta.dirname, '../..')

  it('time and randomness are injected in product code', () => {
    const found = globSync('{api-server,operator,runner-image,common,cli,console}/**/*.{ts,tsx}', {
      cwd: root,
    })
      .filter((file) => !/\.(test|fixture)\.tsx?$|\/node_modules\//.test(file))
      .flatMap((file) =>
        [...readFileSync(path.join(root, file), 'utf8').matchAll(ownEffects)].map(([use]) => ({
          file,
          use,
        })),
      )
      .filter(({ file }) => !exempt.includes(file))
    expect(found).to.deep.equal([])
  })
})
