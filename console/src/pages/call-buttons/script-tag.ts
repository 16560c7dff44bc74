// The key of a new call button, and what web pages contain for it. Keys are public: they stand in pages.

const RANDOM_BYTES = 6;

/** Begins with the name, so that who reads the page knows which button it is; 8 to 64 letters, digits, "_" or "-". */
export function newKey(
  name: string,
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)),
): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  const rest = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return slug === '' ? rest : `${slug}-${rest}`;
}

/** `key` is the public one, with the account before it. */
export const scriptTag = (service: string, key: string): string =>
  `<script async src="${service}/call-button.js" data-key="${key}"></script>`;

/** The button asks for a name, and stands where its script does. */
export const examplePage = (service: string, key: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Call us</title>
</head>
<body>
<h1>Questions? Call us from here.</h1>
<script async src="${service}/call-button.js" data-key="${key}" data-ask-name></script>
</body>
</html>
`;

/** One a line; a line that is empty is none. */
export const originsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
