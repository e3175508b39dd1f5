import { cliCommand } from '../../terminal/cli-command.ts'

export const whoami = cliCommand({
  summary: 'the service, the account and the key that calls use',
  example: 'whoami',
  async run(_, shell) {
    const { url, urlFrom, keyFrom } = shell.connection()
    const client = shell.client()
    const { signal } = shell
    const [{ account_id, account = account_id, plan }, keys] = await Promise.all([
      client.getUsage({ signal }),
      client.listKeys({ signal }),
    ])
    const key = keys.find(({ is_this_one }) => is_this_one)
    const facts = [
      ...(key === undefined ? [] : [`${key.prefix ?? ''}…`]),
      ...(typeof key?.label === 'string' ? [key.label] : []),
      ...(key?.read_only === true ? ['read only'] : []),
    ]
    shell.print(`service  ${url} (${urlFrom})`)
    shell.print(`account  ${account}, plan ${plan}`)
    shell.print(`key      ${facts.join(', ')} (${keyFrom})`)
    return 0
  },
})
