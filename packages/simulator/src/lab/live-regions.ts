import type { ServerResponse } from 'node:http';

/** id of an element → its inner markup; '' takes the element away. */
export type Regions = Map<string, string>;

/** What a page shows, which decides what it is sent. */
export interface Looking {
  phoneId: string | null;
  view: 'messages' | 'guard' | null;
}

const DEBOUNCE_MS = 60;
/** Proxies drop a silent stream. */
const HEARTBEAT_MS = 15_000;

export interface LivePages {
  open: (response: ServerResponse, looking: Looking) => void;
  /** Something changed: pages get the regions that differ from what they have. */
  changed: () => void;
  stop: () => void;
}

/** Server-sent events: each open page gets each region that changed, once. */
export function livePages(render: (looking: Looking) => Regions): LivePages {
  const pages = new Set<{ response: ServerResponse; looking: Looking; sent: Regions }>();
  let timer: NodeJS.Timeout | undefined;

  const push = (page: { response: ServerResponse; looking: Looking; sent: Regions }) => {
    const now = render(page.looking);
    const differing: Record<string, string> = {};
    for (const [id, markup] of now) if (page.sent.get(id) !== markup) differing[id] = markup;
    for (const id of page.sent.keys()) if (!now.has(id)) differing[id] = '';
    page.sent = now;
    if (Object.keys(differing).length > 0)
      page.response.write(`event: regions\ndata: ${JSON.stringify(differing)}\n\n`);
  };
  const beat = setInterval(() => {
    for (const { response } of pages) response.write(': here\n\n');
  }, HEARTBEAT_MS);

  return {
    open: (response, looking) => {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      response.write('retry: 1000\n\n');
      const page = { response, looking, sent: new Map() };
      pages.add(page);
      response.on('close', () => pages.delete(page));
      push(page);
    },
    changed: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const page of pages) push(page);
      }, DEBOUNCE_MS);
    },
    stop: () => {
      clearTimeout(timer);
      clearInterval(beat);
      for (const { response } of pages) response.end();
    },
  };
}
