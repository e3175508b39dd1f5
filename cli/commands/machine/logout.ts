import { cliCommand } from '../../terminal/cli-command.ts'
import { profileOf, withoutProfile } from '../../terminal/profiles.ts'
import { UsageError } from '../../terminal/usage-error.ts'

export const logout = cliCommand({
  summary: 'forget a profile',
  about: 'Forgets the current profile, or the one that is named, and its key. The key stays valid.',
  example: 'logout prod',
  args: ['[PROFILE]'],
  async run({ PROFILE }, { profiles, print }) {
    const found = await profiles.read()
    const leaving = PROFILE ?? found.current
    if (leaving === null) throw new UsageError('no profile is kept here')
    profileOf(found, leaving)
    const left = withoutProfile(found, leaving)
    await profiles.write(left)
    print(`forgot profile ${leaving}${left.current === null ? '' : `; now using ${left.current}`}`)
    return 0
  },
})
