/** The page of the console for a command, or for the list of commands. */
export function consolePage(service: string, commandId: string | null): string {
  const page = commandId === null ? 'commands' : `commands/${encodeURIComponent(commandId)}`
  return `${service.replace(/\/+$/, '')}/console/${page}`
}
