import { addressProblem } from '../../client/send.ts'
import { defaultProfile, withProfile } from '../../terminal/profiles.ts'
import { cliCommand } from '../../terminal/cli-command.ts'
import { UsageError } from '../../terminal/usage-error.ts'

export const login = cliCommand({
  summary: 'keep the address and the key of a service as a profile',
  about:
    'Reads the address, if --url is left out, and an API key, which is not shown. Both are kept under NAME in a file that only you may read, once the service has taken the key.',
  example: 'login --profile prod',
  options: {
    '--profile <NAME>': { text: 'the name to keep them under', default: defaultProfile },
    '--url <URL>': 'the address of the service',
  },
  async run({ profile: name, url: given }, shell) {
    if (!/^[\w.-]{1,40}$/.test(name)) {
      throw new UsageError(`--profile takes letters, digits, '.', '-' and '_', not '${name}'`)
    }
    const url = (given ?? (await shell.ask('Address of the service: '))).trim()
    const problem = addressProblem(url)
    if (problem !== null) throw new UsageError(given === undefined ? problem : `--url: ${problem}`)
    const apiKey = (await shell.ask('API key: ', { isSecret: true })).trim()
    if (apiKey === '') throw new UsageError('no API key was given')
    const { plan } = await shell.clientFor({ url, apiKey }).getUsage({ signal: shell.signal })
    const { profiles } = shell
    await profiles.write(withProfile(await profiles.read(), name, { url, apiKey }))
    shell.print(`profile ${name}: ${url}, plan ${plan}; kept in ${profiles.path}`)
    return 0
  },
})
