import type { Bounds } from '../../protocol/permissions/permission.ts'
import type { BoundsVerdict } from './bounds-verdict.ts'
import type { Action, ActionCommand } from './action.ts'
import { isAddress, plainHost } from '../paths/host-name.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'

/** Programs that take a host's name as text and reach nobody. */
const talkers =
  /^(echo|printf|:|true|false|test|\[|\[\[|cat|tac|head|tail|less|grep|egrep|fgrep|rg|ag|sed|awk|jq|yq|ls|find|tree|stat|wc|sort|uniq|cut|tr|diff|cp|mv|rm|mkdir|touch|cd|export|read|tee|date|sleep|which|type)$/
const silent = /^(commit|log|tag|grep|show|diff|status|branch|add|checkout|switch|blame|config|notes)$/

/**
 * The verdict on the hosts that a call names, in an address or as a word of a command that may reach them. An address of
 * numbers may be that of a blocked host, so a person is asked.
 */
export function judgeHosts({ hosts, commands }: Action, { blockedHosts }: Bounds): BoundsVerdict | null {
  if (blockedHosts.length === 0) return null
  const isBlocked = (host: string): boolean => blockedHosts.some((name) => host === name || host.endsWith(`.${name}`))
  const reaching = commands.filter(reaches)
  const host = hosts.find(isBlocked) ?? reaching.flatMap(hostsIn).find(isBlocked)
  if (host !== undefined) return { behavior: 'deny', always: true, reason: 'the host is blocked', path: host }
  const address = [...hosts, ...reaching.filter(dials).flatMap(addressesIn)].find(isFarAddress)
  if (address === undefined) return null
  const reason = 'some hosts are blocked, and an address does not say whose it is'
  return { behavior: 'ask', always: true, reason, path: address }
}

function reaches({ words, found }: ActionCommand): boolean {
  const inner = unwrapped(words)
  const name = commandName(inner)
  if (found === true && name === '') return false
  if (name === 'git') return !inner.some(({ value }, at) => at > 0 && silent.test(value ?? ''))
  return !talkers.test(name)
}

/** Programs that call the addresses that stand among their words. */
function dials({ words }: ActionCommand): boolean {
  return /^(curl|wget|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|ftp|ping|xh|httpie?|https?)$/.test(
    commandName(unwrapped(words)),
  )
}

/** `git@evil.example:x` → `['git', 'evil.example', 'x']`: whatever could be a host. */
function hostsIn({ words, assignments }: ActionCommand): readonly string[] {
  return [...words.map(({ value, text }) => value ?? text), ...assignments].flatMap((said) =>
    said
      .toLowerCase()
      .split(/[^\p{L}\d.-]+/u)
      .flatMap((part) => (part.includes('.') ? [plainHost(part)] : [])),
  )
}

/** As the system would read it: `0x7f.1` is an address as well. */
function addressesIn({ words }: ActionCommand): readonly string[] {
  return words.slice(1).flatMap(({ value }) => {
    if (value === null || value.startsWith('-')) return []
    const url = URL.parse(value.includes('://') ? value : `http://${value.slice(value.lastIndexOf('@') + 1)}`)
    return url === null ? [] : [url.hostname]
  })
}

/** Whether a host, as a URL has it, is an address of numbers that is not this machine's own. */
function isFarAddress(host: string): boolean {
  return isAddress(host) && !/^(127\.|0\.0\.0\.0$|\[::1?\]$)/.test(host)
}
