import path from 'node:path'

/**
 * Everything that one instance of the local environment calls its own. Two instances never share a
 * name, an address, a port or a folder, so a quickstart and a test run stand beside each other.
 */
export interface Instance {
  /** DNS label of at most 10 characters: veth names hold 15, five of which are ours. */
  readonly name: string
  /** All state. Removed by stop. Traversable by other users, because PostgreSQL refuses to run as root. */
  readonly runFolder: string
  /** This machine, as pods and the node see it. */
  readonly hostAddress: string
  /** The node, where NodePorts answer. */
  readonly nodeAddress: string
  /** Network between the two, a /24. */
  readonly linkCidr: string
  readonly podCidr: string
  /** A /20; its first address is the Kubernetes API. */
  readonly serviceCidr: string
  readonly apiServiceAddress: string
  /**
   * etcd, scheduler and controller-manager listen here and nowhere else: out of reach for pods, and on the
   * usual ports, because every address of 127.0.0.0/8 is the machine's own.
   */
  readonly loopbackAddress: string
  readonly nodeName: string
  readonly networkNamespace: string
  readonly hostInterface: string
  readonly nodeInterface: string
  readonly cgroup: string
  readonly postgresPort: number
  readonly s3Port: number
  /** NodePort that a kind cluster publishes on this machine, so that two of them do not collide. */
  readonly kindPublishedPort: number
}

/**
 * Derives an instance from its name alone, so that any later command finds what an earlier one started.
 *
 * @throws Error for a name that is not a DNS label of at most 10 characters.
 */
export function instanceOf(name: string): Instance {
  if (!/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/.test(name)) {
    throw new Error(
      `instance name ${JSON.stringify(name)}: use at most 10 of a-z, 0-9 and "-", beginning with a letter and not ending with "-"`,
    )
  }
  const slot = slotOf(name)
  const link = slot < 2 ? 250 + slot : 120 + slot
  const service = `10.${96 + Math.floor(slot / 16)}.${(slot % 16) * 16}`
  return {
    name,
    runFolder: path.join('/var/tmp/cloud-ffmpeg', name),
    hostAddress: `10.${link}.0.1`,
    nodeAddress: `10.${link}.0.2`,
    linkCidr: `10.${link}.0.0/24`,
    podCidr: `10.244.${slot}.0/24`,
    serviceCidr: `${service}.0/20`,
    apiServiceAddress: `${service}.1`,
    loopbackAddress: `127.250.${slot}.1`,
    nodeName: `${name}-node`,
    networkNamespace: `cloud-ffmpeg-${name}`,
    hostInterface: `cf-${name}-h`,
    nodeInterface: `cf-${name}-n`,
    cgroup: `cloud-ffmpeg-${name}`,
    postgresPort: 15_432 + slot,
    s3Port: 19_000 + slot,
    kindPublishedPort: 30_180 + slot,
  }
}

/** quickstart and test are fixed, because documents and firewalls may name their addresses; others spread over 64 places. */
function slotOf(name: string): number {
  if (name === 'quickstart') return 0
  if (name === 'test') return 1
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return 2 + (hash % 64)
}
