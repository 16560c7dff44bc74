// Help texts, from the table of commands.
import type { Command } from './command.ts';

const COLUMN = 58;

export function helpOfAll(commands: Readonly<Record<string, Command>>): string {
  // Words that are too long for the column have their explanation on a line of its own.
  const lines = Object.values(commands).flatMap(({ usage }) =>
    usage.map(([words, does]) =>
      words.length <= COLUMN
        ? `  dialtree ${words.padEnd(COLUMN)} ${does}`
        : `  dialtree ${words}\n${' '.repeat(COLUMN + 12)}${does}`,
    ),
  );
  return [
    'dialtree: a call-flow service for telephones',
    '',
    ...lines,
    '',
    '"dialtree help <command>" explains one, with examples; "dialtree --version" prints the version.',
    'Configuration comes from the environment: see docs/configuration.md.',
    '',
  ].join('\n');
}

export function helpOf({ usage, details = [], examples }: Command): string {
  const lines = usage.map(([words, does]) => `dialtree ${words}\n    ${does}`);
  const more = details.length > 0 ? ['', ...details] : [];
  const tried = [
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((each) => `  dialtree ${each}`),
  ];
  return `${[...lines, ...more, ...tried].join('\n')}\n`;
}
