import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { productionPackages } from './production-modules.ts'

describe('the npm packages of the images', () => {
  it('are those that the lockfile does not mark for development', () => {
    const packages = {
      '': { dependencies: { pg: '8.0.0' } },
      'node_modules/pg': {},
      'node_modules/pg/node_modules/ms': {},
      'node_modules/pg-cloudflare': { optional: true },
      'node_modules/fsevents': { devOptional: true },
      'node_modules/mocha': { dev: true },
    }
    expect(productionPackages({ lockfileVersion: 3, packages })).to.deep.equal([
      { place: 'node_modules/pg', optional: false },
      { place: 'node_modules/pg/node_modules/ms', optional: false },
      { place: 'node_modules/pg-cloudflare', optional: true },
      { place: 'node_modules/fsevents', optional: true },
    ])
  })

  it('hold what package.json depends on, and no test runner', async () => {
    const lock = path.resolve(import.meta.dirname, '../../../package-lock.json')
    const places = productionPackages(JSON.parse(await readFile(lock, 'utf8'))).map(
      ({ place }) => place,
    )
    expect(places).to.include.members(['node_modules/express', 'node_modules/pg'])
    expect(places).not.to.include('node_modules/mocha')
  })

  it('are not guessed from a lockfile of another version', () => {
    expect(() => productionPackages({ lockfileVersion: 2, packages: {} })).to.throw(
      'lockfileVersion 3',
    )
  })
})
