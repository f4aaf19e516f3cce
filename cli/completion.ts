import type { Command } from 'commander';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { shellWord } from '../harness/contract/visible-text.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Described {
  readonly name: string;
  readonly means: string;
}
interface Known extends Described {
  readonly flags: readonly (Described & { readonly takesValue: boolean })[];
}

/** The script by which a shell completes commands and flags. @throws a configuration error for another shell. */
export function completionFor(shell: string, program: Command): string {
  const commands = knownIn(program);
  switch (SHELLS.find((known) => known === shell)) {
    case 'bash':
      return bash(program.name(), commands);
    case 'zsh':
      return zsh(program.name(), commands);
    case 'fish':
      return fish(program.name(), commands);
    case undefined:
      throw configurationError(`completion is for ${SHELLS.join(', ')}, and not for ${JSON.stringify(shell)}`);
  }
}

function knownIn(program: Command): readonly Known[] {
  return program.commands.map((command) => ({
    name: command.name(),
    means: command.description(),
    flags: command.options.map(({ long, description, required }) => ({
      name: long ?? '',
      means: description,
      takesValue: required,
    })),
  }));
}

function bash(name: string, commands: readonly Known[]): string {
  const own = functionOf(name);
  return `# Completion of ${name} for bash: eval "$(${name} completion bash)"
${own}() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${namesOf(commands)} help'
  else
    case \${COMP_WORDS[1]} in
${commands.map((known) => `      ${known.name}) words='${namesOf(known.flags)}' ;;\n`).join('')}    esac
    case $current in -*) ;; *) words= ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${own} ${name}`;
}

function zsh(name: string, commands: readonly Known[]): string {
  const own = functionOf(name);
  const described = (list: readonly Described[]) =>
    list.map((one) => shellWord(`${one.name}:${one.means.replaceAll(':', '\\:')}`)).join(' ');
  return `#compdef ${name}
# Completion of ${name} for zsh, after compinit: eval "$(${name} completion zsh)"
${own}() {
  local -a words_here
  if (( CURRENT == 2 )); then
    words_here=(${described(commands)})
    _describe command words_here
    return
  fi
  case $words[2] in
${commands.map((known) => `    ${known.name}) words_here=(${described(known.flags)}) ;;\n`).join('')}  esac
  if [[ $words[CURRENT] == -* ]]; then _describe flag words_here; else _files; fi
}
compdef ${own} ${name}`;
}

function fish(name: string, commands: readonly Known[]): string {
  const lines = commands.flatMap((known) => [
    `complete -c ${name} -n __fish_use_subcommand -f -a ${known.name} -d ${quotedForFish(known.means)}`,
    ...known.flags.map(
      (flag) =>
        `complete -c ${name} -n '__fish_seen_subcommand_from ${known.name}' -l ${flag.name.replace(/^--/, '')}${flag.takesValue ? ' -r' : ''} -d ${quotedForFish(flag.means)}`,
    ),
  ]);
  return [`# Completion of ${name} for fish: ${name} completion fish | source`, ...lines].join('\n');
}

function functionOf(name: string): string {
  return `_${name.replaceAll('-', '_')}`;
}

function namesOf(list: readonly Described[]): string {
  return list.map(({ name }) => name).join(' ');
}

function quotedForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
