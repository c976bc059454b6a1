/** The part of the page's script that sends requests of the visitor's own. */
export const TRY_SCRIPT = `
const isArchive = () => byId('endpoint').value === 'archive';

function tryUrl() {
  const url = resolve('v1/' + byId('endpoint').value + '/' + encodeURIComponent(byId('station').value.trim()));
  const fields = isArchive() ? ['start', 'stop', 'format', 'callback'] : ['callback'];
  for (const name of fields) {
    const value = byId(name).value.trim();
    if (value !== '') url.searchParams.set(name, value);
  }
  // A quote would end the word in the line for the shell.
  return url.href.replaceAll("'", '%27');
}

function showUrl() {
  for (const label of document.querySelectorAll('label.archive')) label.hidden = !isArchive();
  const url = tryUrl();
  byId('url').href = url;
  write(byId('url'), url);
  write(byId('curl'), "curl '" + url + "'");
}

let sent = 0;

async function send() {
  const turn = ++sent;
  const outcome = byId('outcome');
  const body = byId('body');
  const startedAt = performance.now();
  write(outcome, 'Asking…');
  body.hidden = true;
  let line;
  let text = '';
  try {
    const answer = await fetch(tryUrl(), { signal: AbortSignal.timeout(FACTS.timeoutMs) });
    text = await answer.text();
    const took = Math.round(performance.now() - startedAt) + ' ms';
    const type = answer.headers.get('content-type') ?? 'no content type';
    const parts = [answer.status + ' ' + answer.statusText, type, took, text.length.toLocaleString('en') + ' characters'];
    if (text.length > FACTS.shownCharacters) parts.push('the first ' + FACTS.shownCharacters.toLocaleString('en') + ' below');
    line = parts.join(' · ');
  } catch (error) {
    line = 'No answer: ' + error.message;
  }
  if (turn !== sent) return;
  write(outcome, line);
  write(body, text.slice(0, FACTS.shownCharacters));
  body.hidden = text === '';
}

async function copy() {
  try {
    await navigator.clipboard.writeText(byId('curl').textContent);
    write(byId('copy'), 'Copied');
    setTimeout(() => write(byId('copy'), 'Copy'), 1500);
  } catch {
    // Without the permission, or over plain http, the line is at least selected.
    getSelection().selectAllChildren(byId('curl'));
  }
}

byId('try').addEventListener('input', showUrl);
byId('endpoint').addEventListener('change', () => {
  if (isArchive() && byId('station').value === 'all') byId('station').value = stations[0]?.id ?? '110';
  showUrl();
});
byId('try').addEventListener('submit', (event) => {
  event.preventDefault();
  send();
});
byId('copy').addEventListener('click', copy);
showUrl();
`;
