import { describe, expect, test } from 'vitest'
import type { PermissionMode, Policy } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const cwd = '/home/ann/shop'

function verdict(command: string, more: { mode?: PermissionMode; critical?: readonly string[]; tool?: string } = {}) {
  const { mode = 'bypassPermissions', critical, tool = 'Bash' } = more
  const bounds = { protected: [], scope: [], blockedHosts: [], ...(critical && { critical }) }
  const policy: Policy = { mode, rules: { user: { allow: ['Bash', 'Write'] } }, bounds, directories: [cwd] }
  const input = tool === 'Bash' ? { command } : { file_path: command, content: '' }
  return decide(analyse({ tool, input, cwd, home: '/home/ann' }), policy)
}

describe('critical commands', () => {
  test.each([
    'dd if=/dev/zero of=/dev/sda',
    'sudo dd if=a.img of=/dev/nvme0n1 bs=4M',
    'mkfs.ext4 /dev/sda1',
    'mkfs -t xfs /dev/sdb',
    'sudo shutdown -h now',
    'reboot',
    'halt',
    'poweroff',
    '/sbin/reboot',
    'systemctl reboot',
    'sudo systemctl --force poweroff',
    'chmod -R 000 /',
    'chmod 000 --recursive /',
    'sudo chown -R ann /etc',
    'chown -Rh ann /home/ann',
    'chmod -R 777 ..',
    'chmod -R a-x /*',
    'wipefs -a /dev/sda',
    'fdisk /dev/sda',
    'echo x > /dev/sda',
    'cat a.img | sudo tee /dev/nvme0n1',
    'cp a.img /dev/sdb',
    "bash -c 'reboot'",
    'true && timeout 5 poweroff',
    'chmod -R 000 $NOPE/',
    'chmod -R 000 "${NOPE}"/*',
    'chown -R nobody $!/',
    'chown -hR x $(cat dir)/',
    'cat a.txt > /dev/sd${NOPE}a',
    'cat a.txt > /dev/sd$!a',
    'mk$!fs /dev/sda',
    'mkfs.ext4 /dev/s${NOPE}da',
    'shut$!down now',
    'env shut${NOPE}down now',
    'systemctl re${NOPE}boot',
  ])('are asked about in every mode, whatever rule allows them: %s', (command) => {
    for (const mode of ['bypassPermissions', 'acceptEdits', 'default'] as const)
      expect(verdict(command, { mode })).toMatchObject({ behavior: 'ask', source: 'bounds' })
    expect(verdict(command, { mode: 'dontAsk' })).toMatchObject({ behavior: 'deny' })
  })

  test.each([
    'dd if=/dev/urandom of=key.bin count=1',
    'npm test 2>/dev/null',
    'echo hi > /dev/tty',
    'chmod -R u+w src',
    'chmod +x run.sh',
    'chmod -R go-w .',
    'chmod -R u+w "$DIR"',
    'chmod -R u+w "$DIR/bin" $(cat dirs)',
    'chmod +x $DIR/',
    'echo x > "$LOG"',
    'echo shut$!down',
    'npm init -y',
    'git init',
    'echo reboot',
    'grep shutdown src/a.ts',
    'systemctl status nginx',
    'man mkfs',
    'ls /dev',
  ])('are not: %s', (command) => {
    expect(verdict(command)).toMatchObject({ behavior: 'allow' })
  })

  test('a file tool cannot write to a device unasked either', () => {
    expect(verdict('/dev/sda', { tool: 'Write' })).toMatchObject({ behavior: 'ask', source: 'bounds' })
  })

  test('the managed policy may name others', () => {
    expect(verdict('reboot', { critical: ['terraform'] })).toMatchObject({ behavior: 'allow' })
    expect(verdict('sudo terraform destroy', { critical: ['terraform'] })).toMatchObject({ behavior: 'ask' })
    expect(verdict('dd if=a of=/dev/sda', { critical: [] })).toMatchObject({ behavior: 'allow' })
    expect(verdict('rm -rf /', { critical: [] })).toMatchObject({ behavior: 'ask' })
  })
})
