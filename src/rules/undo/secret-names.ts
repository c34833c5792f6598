import { basename } from 'node:path/posix'

const secrets =
  /^(?:\.env(?:\..*)?|\.npmrc|\.netrc|\.pgpass|\.pypirc|credentials(?:\..*)?|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx))$/i

/** Whether a file is one that usually holds keys: its content is copied nowhere. @example namesSecrets('/a/.env') // true */
export function namesSecrets(path: string): boolean {
  return secrets.test(basename(path))
}
