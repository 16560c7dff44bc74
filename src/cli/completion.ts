// dialtree completion: what a shell offers after TAB. The scripts hold the words of the table of commands, so no program is started
// while one types; they are made anew with each version.
import { actionsOf, type Command, parseWords, UsageError } from './command.ts';
import { print } from './io.ts';

interface Flag {
  readonly name: string;
  readonly takesValue: boolean;
}

interface Words {
  readonly name: string;
  readonly does: string;
  /** What may follow the command; empty: files. */
  readonly first: readonly string[];
  readonly flags: readonly Flag[];
}

type Table = Readonly<Record<string, Command>>;

const SHELLS: Readonly<Record<string, (words: readonly Words[]) => string>> = { bash, zsh, fish };

export function completionOf(commands: () => Promise<Table>): Command {
  return {
    usage: [['completion bash|zsh|fish', 'print what makes a shell complete commands, actions and options']],
    options: {},
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/dialtree',
      'completion zsh > ~/.zfunc/_dialtree   # with fpath+=(~/.zfunc) before compinit in ~/.zshrc',
      'completion fish > ~/.config/fish/completions/dialtree.fish',
    ],
    details: [
      'Put it where the shell looks for completions, as below, and open a new shell. It completes the command "dialtree": after',
      '"npm link" in the clone, or with alias dialtree="node /path/to/dialtree/bin/dialtree.js". Make it anew after an upgrade.',
    ],
    async run(words) {
      const [shell = '', ...more] = parseWords(words, {}).positionals;
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!script || more.length > 0) throw new UsageError('Say which shell: bash, zsh or fish.');
      print(script(wordsOf(await commands())));
      return 0;
    },
  };
}

function wordsOf(commands: Table): Words[] {
  const named = Object.entries(commands).map(([name, command]) => ({
    name,
    does: command.usage[0]?.[1] ?? '',
    first: [...actionsOf(command), ...(command.firstWords ?? [])],
    flags: [
      ...Object.entries(command.options).map(([flag, { type }]) => ({
        name: flag,
        takesValue: type === 'string',
      })),
      { name: 'help', takesValue: false },
    ],
  }));
  const help = { name: 'help', does: 'explain a command', first: Object.keys(commands), flags: [] };
  return [...named, help];
}

const dashed = (flags: readonly Flag[]): string => flags.map(({ name }) => `--${name}`).join(' ');
const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}`).join('\n');
/** In single quotes of any of the shells; the words of the table have no line breaks. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** After an option that takes a value, and where no word fits, bash offers files (`-o default`). */
function bash(words: readonly Words[]): string {
  const valued = words.map(({ name, first, flags }) => {
    const values = flags.filter(({ takesValue }) => takesValue).map((flag) => `--${flag.name}`);
    return `${name}) first=${quoted(first.join(' '))} flags=${quoted(dashed(flags))} values=${quoted(` ${values.join(' ')} `)} ;;`;
  });
  return `# bash completion for dialtree, made by "dialtree completion bash"
_dialtree() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} first= flags= values=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    first=${quoted(words.map(({ name }) => name).join(' '))} flags='--help --version'
  fi
  case \${COMP_WORDS[1]} in
${indented(valued)}
  esac
  case $values in *" $prev "*) return ;; esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) if [ "$COMP_CWORD" -le 2 ]; then COMPREPLY=($(compgen -W "$first" -- "$cur")); fi ;;
  esac
}
complete -o default -F _dialtree dialtree
`;
}

/** _files where nothing else fits. */
function zsh(words: readonly Words[]): string {
  const described = words.map(({ name, does }) => quoted(`${name.replaceAll(':', '\\:')}:${does}`));
  const cases = words.map(({ name, first, flags }) => {
    const values = flags.filter(({ takesValue }) => takesValue).map((flag) => `--${flag.name}`);
    return `${name}) first=(${first.map(quoted).join(' ')}) flags=(${dashed(flags)}) values=(${values.join(' ')}) ;;`;
  });
  return `#compdef dialtree
# zsh completion for dialtree, made by "dialtree completion zsh"
_dialtree() {
  local -a commands first flags values
  commands=(
${indented(described)}
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then compadd -- --help --version; else _describe command commands; fi
    return
  fi
  case $words[2] in
${indented(cases)}
  esac
  if (( \${values[(Ie)$words[CURRENT-1]]} )); then
    _files
  elif [[ $PREFIX == -* ]]; then
    compadd -a flags
  elif (( CURRENT == 3 && $#first )); then
    compadd -a first
  else
    _files
  fi
}
if [ "$funcstack[1]" = _dialtree ]; then _dialtree "$@"; else compdef _dialtree dialtree; fi
`;
}

function fish(words: readonly Words[]): string {
  const lines = words.flatMap(({ name, does, first, flags }) => [
    `complete -c dialtree -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(does)}`,
    ...(first.length === 0
      ? []
      : [
          `complete -c dialtree -n "test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from ${name}" -f -a ${fishQuoted(first.join(' '))}`,
        ]),
    ...flags.map(
      (flag) =>
        `complete -c dialtree -n "__fish_seen_subcommand_from ${name}" -l ${flag.name}${flag.takesValue ? ' -r' : ''}`,
    ),
  ]);
  return `# fish completion for dialtree, made by "dialtree completion fish"
complete -c dialtree -n __fish_use_subcommand -f -l version
${lines.join('\n')}
`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
