import { byId, field, messageOf, resolve, TIMEOUT_MS, write } from './dom.ts';

/** Most characters of an answer's body that the page shows. */
const SHOWN_CHARACTERS = 20_000;

const isArchive = (): boolean => field('endpoint').value === 'archive';

function tryUrl(): string {
  const station = encodeURIComponent(field('station').value.trim());
  const url = resolve(`v1/${field('endpoint').value}/${station}`);
  const names = isArchive() ? ['start', 'stop', 'format', 'callback'] : ['callback'];
  for (const name of names) {
    const value = field(name).value.trim();
    if (value !== '') url.searchParams.set(name, value);
  }
  // A single quote would end the quoted address in the line for curl.
  return url.href.replaceAll("'", '%27');
}

function showUrl(): void {
  for (const label of document.querySelectorAll<HTMLElement>('label.archive')) {
    label.hidden = !isArchive();
  }
  const url = tryUrl();
  byId<HTMLAnchorElement>('url').href = url;
  write(byId('url'), url);
  write(byId('curl'), `curl '${url}'`);
}

const count = (characters: number): string => characters.toLocaleString('en');

function describe({ status, statusText, headers }: Response, text: string, tookMs: number): string {
  const type = headers.get('content-type') ?? 'no content type';
  const length = `${count(text.length)} characters`;
  const parts = [`${status} ${statusText}`, type, `${Math.round(tookMs)} ms`, length];
  if (text.length > SHOWN_CHARACTERS) parts.push(`the first ${count(SHOWN_CHARACTERS)} below`);
  return parts.join(' · ');
}

let sent = 0;

async function send(): Promise<void> {
  const own = ++sent;
  const outcome = byId('outcome');
  const body = byId('body');
  const startedAt = performance.now();
  write(outcome, 'Asking…');
  body.hidden = true;
  let line: string;
  let text = '';
  try {
    const answer = await fetch(tryUrl(), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await answer.text();
    line = describe(answer, text, performance.now() - startedAt);
  } catch (error) {
    line = `No answer: ${messageOf(error)}`;
  }
  if (own !== sent) return;
  write(outcome, line);
  write(body, text.slice(0, SHOWN_CHARACTERS));
  body.hidden = text === '';
}

async function copy(): Promise<void> {
  try {
    await navigator.clipboard.writeText(byId('curl').textContent ?? '');
    write(byId('copy'), 'Copied');
    setTimeout(() => write(byId('copy'), 'Copy'), 1500);
  } catch {
    // Without permission to copy, or over plain http, select the line for the user to copy.
    getSelection()?.selectAllChildren(byId('curl'));
  }
}

/**
 * Lets visitors send requests of their own.
 * @param firstStation gives the id of a listed station; undefined until stations are loaded
 */
export function startTryIt(firstStation: () => number | undefined): void {
  byId('try').addEventListener('input', showUrl);
  field('endpoint').addEventListener('change', () => {
    if (isArchive() && field('station').value === 'all') {
      field('station').value = String(firstStation() ?? 110);
    }
    showUrl();
  });
  byId('try').addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  byId('copy').addEventListener('click', copy);
  showUrl();
}
