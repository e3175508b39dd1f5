import { expect } from 'chai'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { rejectionOf, useFolder } from '../../testing/support/mocha.ts'
import { profileFile } from './profile-file.ts'
import type { Environment } from './profiles.ts'
import { chooseConnection, noProfiles, withoutProfile, withProfile } from './profiles.ts'

const prod = { url: 'https://media.example.com', apiKey: 'cff_prod' }
const laptop = { url: 'http://127.0.0.1:8080', apiKey: 'cff_laptop' }
const both = withProfile(withProfile(noProfiles, 'prod', prod), 'laptop', laptop)
const none: Environment = { url: undefined, apiKey: undefined }

describe('the service of a call', () => {
  it('the service is that of the named profile, else of the environment, else of the current profile', () => {
    const environment = { url: 'https://other.example', apiKey: 'cff_other' }
    expect(chooseConnection('prod', environment, both)).to.deep.include({
      ...prod,
      urlFrom: 'profile prod',
    })
    expect(chooseConnection(null, environment, both)).to.deep.include({
      ...environment,
      urlFrom: 'CLOUD_FFMPEG_URL',
    })
    expect(chooseConnection(null, none, both)).to.deep.include(laptop)
    expect(chooseConnection(null, { url: '', apiKey: '' }, both)).to.deep.include(laptop)
  })

  it('names the remedy when a call has no service', () => {
    const choose =
      (named: string | null, environment = none, profiles = both) =>
      () =>
        chooseConnection(named, environment, profiles)
    expect(choose(null, none, noProfiles)).to.throw("run 'cloud-ffmpeg login', or set")
    expect(choose('prood')).to.throw("no profile 'prood'; there are prod, laptop")
    expect(choose('constructor')).to.throw("no profile 'constructor'")
    expect(choose('prod', none, noProfiles)).to.throw(
      "'cloud-ffmpeg login --profile prod' makes it",
    )
    // Half of the environment is a mistake, not a reason to talk to another service.
    expect(choose(null, { url: 'https://a', apiKey: undefined })).to.throw('CLOUD_FFMPEG_API_KEY')
    expect(choose(null, { url: undefined, apiKey: 'cff' })).to.throw('CLOUD_FFMPEG_URL')
  })

  it('the service is another one when the current profile is forgotten', () => {
    expect(withoutProfile(both, 'laptop')).to.deep.equal({ current: 'prod', byName: { prod } })
    expect(withoutProfile(both, 'prod').current).to.equal('laptop')
    expect(withoutProfile(withoutProfile(both, 'prod'), 'laptop')).to.deep.equal(noProfiles)
  })
})

describe('the file of profiles', () => {
  const inFolder = useFolder()

  it('keeps them for its owner alone', async () => {
    const file = profileFile(inFolder('cloud-ffmpeg/profiles.json'))
    expect(await file.read()).to.deep.equal(noProfiles)
    await file.write(both)
    expect(await file.read()).to.deep.equal(both)
    expect((await stat(file.path)).mode & 0o777).to.equal(0o600)
    expect(await readFile(file.path, 'utf8')).to.contain('cff_prod')
  })

  it('the file of profiles is named when it has other content', async () => {
    const file = profileFile(inFolder('profiles.json'))
    for (const text of ['', '{"byName":', '[]', '{"byName":{"a":{"url":1}}}']) {
      await writeFile(file.path, text)
      expect(String(await rejectionOf(file.read()))).to.contain(`${file.path} has no profiles`)
    }
  })
})
