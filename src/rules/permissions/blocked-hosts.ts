import type { Bounds } from '../../protocol/permissions/permission.ts'
import type { BoundsVerdict } from './action.ts'
import type { Action, ActionCommand } from './action.ts'
import { isAddress, plainHost } from '../paths/host-name.ts'
import { commandName, fromXargs, unwrapped } from '../shell/bash-wrappers.ts'

/** Programs that take a host's name as text and reach nobody. */
const talkers =
  /^(echo|printf|:|true|false|test|\[|\[\[|cat|tac|head|tail|less|grep|egrep|fgrep|rg|ag|sed|awk|jq|yq|ls|find|tree|stat|wc|sort|uniq|cut|tr|diff|cp|mv|rm|mkdir|touch|cd|export|read|tee|date|sleep|which|type)$/
const silent = /^(commit|log|tag|grep|show|diff|status|branch|add|checkout|switch|blame|config|notes)$/

/**
 * The verdict on the hosts that a call names, in an address or as a word of a command that may reach them. An address of
 * numbers may be that of a blocked host, and so may one that only a running shell knows: a person is asked.
 */
export function judgeHosts({ hosts, commands }: Action, { blockedHosts }: Bounds): BoundsVerdict | null {
  if (blockedHosts.length === 0) return null
  const isBlocked = (host: string): boolean => blockedHosts.some((name) => host === name || host.endsWith(`.${name}`))
  const reaching = commands.filter(reaches)
  const host = hosts.find(isBlocked) ?? reaching.flatMap(hostsIn).find(isBlocked)
  if (host !== undefined) return { behavior: 'deny', always: true, reason: 'the host is blocked', path: host }
  const dialled = commands.flatMap(devicesIn).find(isBlocked)
  if (dialled !== undefined) return { behavior: 'deny', always: true, reason: 'the host is blocked', path: dialled }
  const unseen = reaching.find((command) => dials(command) && hidesHost(command))
  if (unseen !== undefined) {
    const reason = `some hosts are blocked, and which one ${unseen.text} reaches is only known when it runs`
    return { behavior: 'ask', always: true, reason }
  }
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
function hostsIn({ words, assignments, fed = [] }: ActionCommand): readonly string[] {
  return [...words.map(({ value, text }) => value ?? text), ...assignments, ...fed].flatMap((said) =>
    said
      .toLowerCase()
      .split(/[^\p{L}\d.-]+/u)
      .flatMap((part) => (part.includes('.') ? [plainHost(part)] : [])),
  )
}

/** `< /dev/tcp/evil.example/80`: bash itself reaches the host. */
function devicesIn({ redirects }: ActionCommand): readonly string[] {
  return redirects.flatMap(({ word }) => {
    const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(word.value ?? '')?.[1]
    return host === undefined ? [] : [plainHost(host.toLowerCase())]
  })
}

/** Options whose value is no address. */
const sent =
  /^(-[HdFuAbeoXTwmE]|--(header|data[a-z-]*|form|user|user-agent|cookie|referer|output|request|write-out|max-time|json|cert|key))$/

/** The address is a text that is not on the line, or comes in. */
function hidesHost({ words, fed }: ActionCommand): boolean {
  const inner = unwrapped(words)
  if (fed === undefined && commandName(fromXargs(words)) === 'xargs') return true
  const list = commandName(inner) === 'curl' ? /^(-[a-zA-Z]*K|--config)/ : /^(-[a-zA-Z]*i|--input-file)/
  const listed = /^(curl|wget)$/.test(commandName(inner)) && inner.findIndex(({ value }) => list.test(value ?? ''))
  if (listed !== false && listed !== -1 && !(fed !== undefined && inner[listed + 1]?.value === '-')) return true
  return inner.some(
    ({ value, text, from }, at) =>
      at > 0 && value === null && from !== 'number' && !text.startsWith('-') && !sent.test(inner[at - 1]?.value ?? ''),
  )
}

/** As the system would read it: `0x7f.1` is an address as well. */
function addressesIn({ words }: ActionCommand): readonly string[] {
  return words.slice(1).flatMap(({ value }) => {
    if (value === null || value.startsWith('-')) return []
    const inside = value.match(/(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g) ?? []
    const url = URL.parse(value.includes('://') ? value : `http://${value.slice(value.lastIndexOf('@') + 1)}`)
    return url === null ? inside : [url.hostname, ...inside]
  })
}

/** Whether a host, as a URL has it, is an address of numbers that is not this machine's own. */
function isFarAddress(host: string): boolean {
  return isAddress(host) && !/^(127\.|0\.0\.0\.0$|\[::1?\]$)/.test(host)
}
