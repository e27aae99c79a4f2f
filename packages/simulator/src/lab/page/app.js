// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** The lab's page: the server renders, this keeps it alive. It swaps what changed and sends what is pressed. */

const toast = /** @type {HTMLElement} */ (document.getElementById('toast'));
/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/** @param {string} text */
function say(text) {
  toast.textContent = text;
  toast.dataset.shown = 'true';
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => delete toast.dataset.shown, 6000);
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {string} [type]
 * @returns {Promise<any>} the answer
 */
async function send(path, body, type = 'application/json') {
  const payload = type === 'application/json' ? JSON.stringify(body) : /** @type {Blob} */ (body);
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': type }, body: payload });
  const answer = await response.json().catch(() => ({ error: `The lab answered ${response.status}.` }));
  if (!response.ok) throw new Error(answer.error ?? answer.message ?? `The lab answered ${response.status}.`);
  return answer;
}

/**
 * Runs what a press asks for; the pressed element is busy meanwhile and a refusal is said in words.
 * @param {Element} element
 * @param {() => Promise<unknown>} work
 */
async function busy(element, work) {
  if (element.getAttribute('aria-busy') === 'true') return;
  element.setAttribute('aria-busy', 'true');
  try {
    await work();
  } catch (error) {
    say(error instanceof Error ? error.message : 'It did not work.');
  } finally {
    element.removeAttribute('aria-busy');
  }
}

/* Keeping the page as the server renders it, without disturbing what a person holds: focus, typed text, opened folds. */

/** @param {Element} old @param {Element} fresh */
function morphAttributes(old, fresh) {
  for (const { name } of Array.from(old.attributes)) {
    const isKept = (name === 'open' && old.tagName === 'DETAILS') || name === 'aria-busy';
    if (!isKept && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of Array.from(fresh.attributes))
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old instanceof HTMLInputElement && old.type === 'range' && document.activeElement !== old)
    old.value = fresh.getAttribute('value') ?? '';
}

/** @param {Node} old @param {Node} fresh */
function isSameKind(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return false;
  if (!(old instanceof Element) || !(fresh instanceof Element)) return true;
  return old.id === fresh.id && old.getAttribute('data-panel') === fresh.getAttribute('data-panel');
}

/** @param {Node} old @param {Node} fresh */
function morph(old, fresh) {
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  morphAttributes(old, fresh);
  if (old.tagName !== 'TEXTAREA') morphChildren(old, fresh);
}

/** @param {Element} old @param {Element} fresh */
function morphChildren(old, fresh) {
  const wanted = [...fresh.childNodes];
  for (const [index, node] of wanted.entries()) {
    const here = old.childNodes[index];
    if (here && isSameKind(here, node)) morph(here, node);
    else if (here && node instanceof Element && node.id && old.querySelector(`:scope > #${CSS.escape(node.id)}`)) {
      const moved = /** @type {Element} */ (old.querySelector(`:scope > #${CSS.escape(node.id)}`));
      old.insertBefore(moved, here);
      morph(moved, node);
    } else if (here && wanted.length <= old.childNodes.length) old.replaceChild(node, here);
    else old.insertBefore(node, here ?? null);
  }
  while (old.childNodes.length > wanted.length) old.lastChild?.remove();
}

/** @param {string} id @param {string} markup '' takes the region away */
function renderRegion(id, markup) {
  const here = document.getElementById(id);
  if (markup === '') return here?.remove();
  const template = document.createElement('template');
  const isTile = id.startsWith('tile-');
  template.innerHTML = isTile ? markup.trim() : `<div>${markup}</div>`;
  const fresh = /** @type {Element} */ (template.content.firstElementChild);
  if (here) return isTile ? morph(here, fresh) : morphChildren(here, fresh);
  if (isTile) document.getElementById('tile-new')?.before(fresh);
}

/* What the page looks at: all phones, one phone, the messages. */

/** @type {EventSource | undefined} */
let events;
function connect() {
  events?.close();
  events = new EventSource(`lab/events${location.search}`);
  events.addEventListener('regions', (event) => {
    for (const [id, markup] of Object.entries(JSON.parse(event.data))) renderRegion(id, markup);
  });
  events.addEventListener('error', () => say('The lab does not answer. Trying again…'));
  events.addEventListener('open', () => delete toast.dataset.shown);
}

/** @param {string} search @param {string} mode */
function look(search, mode) {
  history.pushState({ mode }, '', `lab${search}`);
  document.body.dataset.mode = mode;
  connect();
}
addEventListener('popstate', () => {
  const query = new URLSearchParams(location.search);
  document.body.dataset.mode = query.has('phone') ? 'phone' : query.has('view') ? 'messages' : 'wall';
  connect();
});

/** @param {HTMLElement} element */
function openPhone(element) {
  const id = element.dataset.open ?? '';
  look(id ? `?phone=${encodeURIComponent(id)}` : '', id ? 'phone' : 'wall');
  if (id) document.getElementById('panel')?.scrollTo({ top: 0 });
}

/* Presses. */

/** @param {HTMLElement} element */
async function pressSwitch(element) {
  const { phone, act, body, at = '', confirm: question } = element.dataset;
  if (question && !confirm(question)) return;
  const answer = await send(`lab/api/${at}phones/${phone}/${act}`, JSON.parse(body ?? '{}'));
  if (answer.result?.server_said) say(`The server said: ${answer.result.server_said}`);
}

/** @param {HTMLElement} element */
async function moveClock(element) {
  const { clock, to } = element.dataset;
  await send('lab/api/clock', to ? { to } : { move: clock });
}

/** @param {HTMLElement} element */
async function addPhone(element) {
  const phone = await send('lab/api/phones', { agent: element.dataset.new });
  look(`?phone=${encodeURIComponent(phone.id)}`, 'phone');
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey) return;
  const element = /** @type {HTMLElement | null} */ (
    event.target.closest(
      '[data-open], [data-view], [data-act], [data-clock], [data-new], [data-sms], [data-guard], [data-guard-new]',
    )
  );
  if (!element) return;
  event.preventDefault();
  const { dataset } = element;
  if (dataset.open !== undefined) openPhone(element);
  else if (dataset.view !== undefined) look(`?view=${dataset.view}`, 'messages');
  else if (dataset.act !== undefined) void busy(element, () => pressSwitch(element));
  else if (dataset.clock !== undefined) void busy(element, () => moveClock(element));
  else if (dataset.new !== undefined) void busy(element, () => addPhone(element));
  else if (dataset.sms !== undefined)
    void busy(element, () => send('lab/api/sms', { [String(dataset.sms)]: dataset.on !== 'true' }));
  else if (dataset.guard !== undefined)
    void busy(element, () => send('lab/api/guard/faults', { [String(dataset.guard)]: dataset.on !== 'true' }));
  else if (dataset.guardNew !== undefined) void busy(element, () => send('lab/api/guard/phones', {}));
});

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { phone, at = '', form: act } = form.dataset;
  if (!act) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  void busy(form, async () => {
    const answer = await send(`lab/api/${at}phones/${phone}/${act}`, fields);
    if (answer.result?.is_open === false) say('Wrong PIN.');
    form.reset();
  });
});

document.addEventListener('input', (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || !input.dataset.range) return;
  const output = input.parentElement?.querySelector('output');
  if (output) output.textContent = `${input.value} %`;
});

document.addEventListener('change', (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement)) return;
  const { range, phone, scan } = input.dataset;
  if (range) void busy(input, () => send(`lab/api/phones/${phone}/${range}`, { pct: Number(input.value) }));
  const [picture] = input.files ?? [];
  if (scan && picture) {
    const field = /** @type {HTMLTextAreaElement} */ (document.getElementById(scan));
    void busy(field, async () => {
      field.value = await readPicture(picture);
      say('The code is read. Press Scan.');
    }).finally(() => (input.value = ''));
  }
});

const MAX_EDGE_PX = 1600;

/**
 * The text of the QR in a picture; the lab decodes it, whatever the browser can.
 * @param {Blob} picture
 * @returns {Promise<string>}
 */
async function readPicture(picture) {
  const bitmap = await createImageBitmap(picture).catch(() => {
    throw new Error('This is no picture.');
  });
  const scale = Math.min(1, MAX_EDGE_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const png = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  return (await send('lab/api/qr', png, 'image/png')).text;
}

connect();
