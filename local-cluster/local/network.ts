import type { Instance } from '../host/instance.ts'
import { NoCluster } from '../host/types.ts'
import { runCommand, succeeds } from '../host/run-command.ts'
import { conflictingRoute, parseRoutes } from './addresses-in-use.ts'

/**
 * A namespace for the node and a veth pair to it, with routes to pods and Services. The machine's own devices, forwarding
 * and firewall stay as they are.
 *
 * @throws NoCluster where another device has the instance's addresses.
 */
export async function createNetwork(instance: Instance): Promise<void> {
  await removeNetwork(instance)
  const routes = parseRoutes(
    await runCommand('ip', ['-json', '-4', 'route', 'show', 'table', 'all']),
  )
  const conflict = conflictingRoute(instance, routes)
  if (conflict !== undefined) {
    throw new NoCluster(
      `instance ${instance.name} needs ${instance.linkCidr}, ${instance.podCidr} and ${instance.serviceCidr}, but ${conflict.device} ` +
        `has ${conflict.destination}: choose another instance name, or stop what uses that device`,
    )
  }
  const { networkNamespace, hostInterface, nodeInterface, hostAddress, nodeAddress } = instance
  const ip = (command: string) => runCommand('ip', command.split(' '))
  await ip(`netns add ${networkNamespace}`)
  await ip(
    `link add ${hostInterface} type veth peer name ${nodeInterface} netns ${networkNamespace}`,
  )
  await ip(`addr add ${hostAddress}/24 dev ${hostInterface}`)
  await ip(`link set ${hostInterface} up`)
  await ip(`-n ${networkNamespace} addr add ${nodeAddress}/24 dev ${nodeInterface}`)
  await ip(`-n ${networkNamespace} link set ${nodeInterface} up`)
  await ip(`-n ${networkNamespace} link set lo up`)
  await ip(`-n ${networkNamespace} route add default via ${hostAddress}`)
  await ip(`route add ${instance.podCidr} via ${nodeAddress}`)
  // last, and so the sign that nothing before it is missing
  await ip(`route add ${instance.serviceCidr} via ${nodeAddress}`)
}

export async function removeNetwork({ hostInterface, networkNamespace }: Instance): Promise<void> {
  if (await succeeds('ip', ['link', 'show', hostInterface])) {
    await runCommand('ip', ['link', 'del', hostInterface])
  }
  const namespaces = await runCommand('ip', ['netns', 'list'])
  if (namespaces.split('\n').some((line) => line.split(' ')[0] === networkNamespace)) {
    await runCommand('ip', ['netns', 'del', networkNamespace])
  }
}

/** Whether everything that createNetwork makes is there. */
export async function networkIsComplete({
  hostInterface,
  serviceCidr,
}: Instance): Promise<boolean> {
  const show = ['-4', 'route', 'show', serviceCidr, 'dev', hostInterface]
  if (!(await succeeds('ip', ['link', 'show', hostInterface]))) return false
  return (await runCommand('ip', show)).trim() !== ''
}
