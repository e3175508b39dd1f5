import { cliCommand } from '../../terminal/cli-command.ts'
import { profileOf } from '../../terminal/profiles.ts'

export const use = cliCommand({
  summary: 'choose the profile that calls use',
  about:
    'Makes a profile the current one. CLOUD_FFMPEG_URL and CLOUD_FFMPEG_API_KEY, if set, come before it.',
  example: 'use prod',
  args: ['<PROFILE>'],
  async run({ PROFILE: name }, { profiles, print }) {
    const found = await profiles.read()
    const { url } = profileOf(found, name)
    await profiles.write({ ...found, current: name })
    print(`using profile ${name}: ${url}`)
    return 0
  },
})
