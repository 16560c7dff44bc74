// Variables of the environment that are not known and look like a known one. Nothing else reads them: without a word they would be ignored.
import { VARIABLES } from '../config/variables.ts';
import { distance } from './nearest.ts';

const KNOWN = Object.keys(VARIABLES);

/** What environments have besides: of the shell, Node.js, npm, the system and Kubernetes. */
const OF_OTHERS =
  /^(?:PATH|HOME|USER|SHELL|TERM|LANG|LANGUAGE|PWD|OLDPWD|LOGNAME|MAIL|TZ|TMPDIR|TMP|TEMP|DEBUG|CI|NO_COLOR)$|^(?:HOST|LC_|NPM_|NODE_|KUBERNETES_|XDG_|SSH_|DBUS_|SYSTEMD_|DOCKER_|GIT_)/;
const LONGEST = 64;
const SHORT_NAME = 7;
const SHORT_WORD = 4;

/** A sentence for each, without its value, which may be a secret. */
export function misspeltVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment).flatMap((name) => {
    const isCandidate = /^[A-Z][A-Z0-9_]*$/.test(name) && name.length <= LONGEST && !OF_OTHERS.test(name);
    if (!isCandidate || Object.hasOwn(VARIABLES, name) || !environment[name]?.trim()) return [];
    const meant = meantBy(name);
    return meant === null ? [] : [`${name} is no variable of Dialtree. Did you mean ${meant}?`];
  });
}

function meantBy(name: string): string | null {
  const words = name.split('_');
  let most = name.length > SHORT_NAME ? 2 : 1;
  let meant: string | null = null;
  for (const known of KNOWN) {
    if (Math.abs(known.length - name.length) > most || isOtherWord(words, known.split('_'))) continue;
    const far = distance(name, known);
    if (far > most) continue;
    meant = known;
    // Only a nearer one takes its place.
    most = far - 1;
  }
  return meant;
}

/** The first word says whose a variable is, and of a short one another letter makes another: APP_PORT, TLS_KEY, SMTP_HOST, POST. */
function isOtherWord(words: readonly string[], known: readonly string[]): boolean {
  const [word = ''] = words;
  const [first = ''] = known;
  // One underscore more or less: DATADIR.
  if (words.length !== known.length) return false;
  const isShort = first.length < SHORT_WORD || (first.length === SHORT_WORD && word.length === SHORT_WORD);
  return isShort && lettersOf(word) !== lettersOf(first);
}

const lettersOf = (word: string): string => [...word].sort().join('');
