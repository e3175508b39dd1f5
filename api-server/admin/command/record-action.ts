import type { AdminCommand, AdminDeps } from './admin-command.ts'

/** Keeps what was changed, when and where; addresses are personal data and are left out. */
export async function recordAction(
  { store, host }: Pick<AdminDeps, 'store' | 'host'>,
  { name }: AdminCommand,
  args: readonly string[],
  claimedBy: string | null,
): Promise<void> {
  const given = args.slice(name.split(' ').length).filter((arg) => arg !== '--json')
  await store.recordAdminAction({
    command: name,
    arguments: given.map((arg) => (arg.includes('@') ? '(address)' : arg)),
    host,
    claimedBy,
  })
}
