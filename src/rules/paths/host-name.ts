/** As browsers write a host: lower case, punycode, no final dot; `*` stays. */
export function plainHost(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  return labels.map((label) => (/[^\0-\x7f]/.test(label) ? ascii(label) : label)).join('.')
}

function ascii(label: string): string {
  return URL.parse(`http://${label}.test`)?.hostname.replace(/\.test$/, '') ?? label
}

/** A blocked host as it is compared: all that lies below it is blocked as well, so that a star in front says nothing more. */
export function blockedHost(text: string): string {
  return plainHost(text.trim().replace(/^\*?\./, ''))
}

/** `isAddress('[::1]')`, `isAddress('10.0.0.1')`: as a URL has it. */
export function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)
}
