// A menu that is right in every field, to be changed in one place by a test.

export function menu(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const all = {
    name: 'Main menu',
    description: 'What callers hear first',
    recording: 'recording||welcome',
    timeout: 5,
    option: ['1', '2'],
    destination: ['extension||100001', 'extension||100002'],
    incorrect_count: '2',
    invalid_recording: 'recording||invalid',
    invalid_destination: 'extension||100001',
    timeout_retry_recording: 'recording||again',
    timeout_recording: 'recording||bye',
    timeout_destination: 'extension||100002',
    timeout_tries: 1,
    ...changes,
  };
  // A change to undefined takes the field away.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
